import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { migrationFiles } from '../../db/migrations/files.ts'
import { nativePartsOf, type Platform } from './platforms.ts'

const root = resolve(import.meta.dirname, '../..')

/**
 * Modules with much code that few processes need, by the paths in the executable of the code that has them: compressed,
 * and without a code cache. All that import them are loaded at first use. Those that share code stand together.
 */
export const apart: Readonly<Record<string, readonly string[]>> = {
  'client/types.cjs': ['client/types.ts'],
  'backup.cjs': ['age-encryption', 'modern-tar'],
  'aws-sdk.cjs': ['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'],
  'mail.cjs': ['nodemailer'],
  'mcp.cjs': ['@modelcontextprotocol/server'],
  'oauth.cjs': ['oidc-provider'],
  'passkeys.cjs': ['@simplewebauthn/server'],
  'passwords.cjs': ['@zxcvbn-ts/language-common'],
  'redis.cjs': ['ioredis'],
  'undici.cjs': ['undici'],
  'telemetry.cjs': [
    ...['api', 'core', 'resources', 'sdk-trace', 'sdk-metrics'],
    ...['exporter-trace-otlp-http', 'exporter-trace-otlp-proto'],
    ...['exporter-metrics-otlp-http', 'exporter-metrics-otlp-proto']
  ].map((name) => `@opentelemetry/${name}`),
  'openid-client.cjs': ['openid-client'],
  'fast-check.cjs': ['fast-check']
}

const exportOf = (module: string, name: string) => `require(${JSON.stringify(module)}).${name}`

const loadNative = (path: string) =>
  `${exportOf(join(root, 'tools/binary/native.ts'), 'loadNative')}(${JSON.stringify(path)})`

/** Code that looks for files in its own folder, and its replacement in the bundle. */
const replacementsOf = (bcrypt: string) => [
  {
    file: 'node_modules/bcrypt/bcrypt.js',
    text: "require('node-gyp-build')(path.resolve(__dirname))",
    // Loaded at its first use, so that help needs no folder to unpack into.
    by: `new Proxy({}, { get: (_, name) => require(${JSON.stringify(join(root, bcrypt))})[name] })`
  }
]

/** A module that stands apart, in the bundle. */
const loadCode = (asset: string, name: string) =>
  `module.exports = ${exportOf(join(root, 'tools/binary/code.ts'), 'loadCode')}(${JSON.stringify(asset)}, ${JSON.stringify(name)})`

const exactly = (path: string) => new RegExp(`/${path.replaceAll('.', '\\.')}$`)

const filesOf = (nativeParts: ReturnType<typeof nativePartsOf>): Plugin => ({
  name: 'files',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: exactly('plugins/runtime/resources.ts') }, () => ({
      contents: `export * from './resources.ts'`,
      resolveDir: import.meta.dirname
    }))
    onLoad({ filter: exactly('db/migrations/files.ts') }, () => ({
      contents: `export const migrationFiles = ${JSON.stringify(migrationFiles)}`
    }))
    for (const [asset, names] of Object.entries(apart)) {
      for (const name of names) {
        const filter = name.endsWith('.ts') ? exactly(name) : new RegExp(`^${name}$`)
        onResolve({ filter }, () => ({ path: name, namespace: asset }))
      }
      onLoad({ filter: /./, namespace: asset }, ({ path }) => ({
        contents: loadCode(asset, path),
        resolveDir: root
      }))
    }
    for (const path of Object.values(nativeParts)) {
      onLoad({ filter: exactly(path) }, () => ({
        contents: `module.exports = ${loadNative(path)}`,
        resolveDir: root
      }))
    }
    for (const { file, text, by } of replacementsOf(nativeParts.bcrypt)) {
      onLoad({ filter: exactly(file) }, () => {
        const source = readFileSync(join(root, file), 'utf8')
        if (!source.includes(text)) return { errors: [{ text: `${file} does not say ${text}` }] }
        return { contents: source.replaceAll(text, () => by) }
      })
    }
  }
})

/**
 * The `require` of bundled packages. It gives them the modules of Node.js, and nothing from the disk. A
 * package that looks for a file in its own folder, and is not in `replacementsOf`, gets an error.
 */
const require = `require = (id) => {
  const found = process.getBuiltinModule(id)
  if (!found) throw Object.assign(new Error('the executable has no ' + id), { code: 'MODULE_NOT_FOUND' })
  return found
}
__dirname = '/'`

const options = {
  absWorkingDir: root,
  bundle: true,
  minifyWhitespace: true,
  charset: 'ascii',
  platform: 'node',
  // Node.js keeps a code cache for this format only.
  format: 'cjs',
  target: `node${process.versions.node}`,
  banner: { js: require }
} as const

/** Writes modules that stand apart, compressed. */
export async function bundleApart(outfile: string, names: readonly string[]): Promise<void> {
  const contents = names.map((name) => {
    const from = name.endsWith('.ts') ? `./${name}` : name
    return `export * as ${JSON.stringify(name)} from ${JSON.stringify(from)}`
  })
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: contents.join('\n'), resolveDir: root },
    minify: true,
    keepNames: true,
    // Of modules of Node.js; the script that it becomes has only `require`.
    supported: { 'dynamic-import': false },
    write: false
  })
  const text = onlyAscii(outputFiles[0]?.text ?? '')
  // The best quality would take 20 s more, and save 0.2 of 122 MiB.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 }
  writeFileSync(outfile, brotliCompressSync(text, { params }))
}

/**
 * Writes all other code that the executable of a platform runs into one file.
 * @throws Error if code looks for files in its own folder and has no replacement here.
 */
export async function bundle(outfile: string, platform: Platform): Promise<void> {
  await build({
    ...options,
    entryPoints: ['tools/binary/main.ts'],
    outfile,
    // Names stay: the library of OAuth finds its models by the names of their classes, which `minifySyntax` drops
    // from class expressions.
    alias: { 'better-sqlite3': `better-sqlite3/${platform.sqlite}` },
    plugins: [filesOf(nativePartsOf(platform))],
    // Code that asks for its place (import.meta.dirname) asks plugins/runtime/resources.ts instead.
    logOverride: { 'empty-import-meta': 'error' }
  })
  writeFileSync(outfile, onlyAscii(readFileSync(outfile, 'utf8')))
}

/** `charset` leaves comments as they are, and a single other character makes Node.js keep two bytes for each of all. */
const onlyAscii = (text: string) =>
  text.replaceAll(/[^\0-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
