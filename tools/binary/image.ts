import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { nativePartsOf, ownPlatform } from './platforms.ts'

const root = resolve(import.meta.dirname, '../..')

/** The libraries that a program or a native part loads, the loader among them. */
function librariesOf(file: string) {
  const listed = execFileSync('ldd', [file], { encoding: 'utf8' })
  const missing = /^\s*(\S+) => not found/m.exec(listed)
  if (missing) throw new Error(`${file} needs ${missing[1]}, which is not installed`)
  return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path)
}

/**
 * Lays out what the image contains: `root/`, which belongs to root, and `data/`, the empty folder that belongs to its
 * user. Node.js brings certificates and time zones of its own, and glibc looks names up by itself.
 */
function layImage(binary: string, folder: string) {
  rmSync(folder, { recursive: true, force: true })
  const put = (path: string) => {
    const target = join(folder, 'root', path)
    mkdirSync(dirname(target), { recursive: true })
    return target
  }
  mkdirSync(folder, { recursive: true })
  mkdirSync(join(folder, 'data'), 0o700)
  chmodSync(put('tmp/-').slice(0, -2), 0o1777)
  copyFileSync(binary, put('gatehouse'))
  const parts = Object.values(nativePartsOf(ownPlatform())).map((path) => join(root, path))
  for (const path of new Set([binary, ...parts].flatMap(librariesOf))) copyFileSync(path, put(path))
  writeFileSync(put('etc/passwd'), 'gatehouse:x:65532:65532::/data:/nologin\n')
  writeFileSync(put('etc/group'), 'gatehouse:x:65532:\n')
  writeFileSync(put('etc/nsswitch.conf'), 'hosts: files dns\n')
}

layImage(join(root, 'dist/gatehouse'), join(root, 'dist/image'))
