import { readFileSync, writeFileSync } from 'node:fs'

const processors: Readonly<Record<number, string>> = {
  // ELF
  62: 'x64',
  183: 'arm64',
  // Mach-O
  16777223: 'x64',
  16777228: 'arm64',
  // PE
  34404: 'x64',
  43620: 'arm64'
}

/** The platform that a program, a library or a native part is for, as its header says; undefined if it is none of them. */
export function platformOf(file: string): string | undefined {
  const bytes = readFileSync(file)
  if (bytes.length < 64) return undefined
  const named = (system: string, processor: number, end = '') =>
    `${system}-${processors[processor] ?? processor}${end}`
  if (bytes.subarray(0, 4).equals(Buffer.from('\x7fELF'))) {
    return named('linux', bytes.readUInt16LE(18), bytes.includes('libc.musl-') ? '-musl' : '')
  }
  if (bytes.readUInt32LE(0) === 0xfeedfacf) return named('darwin', bytes.readUInt32LE(4))
  if (isPe(bytes)) {
    const header = bytes.readUInt32LE(0x3c)
    if (bytes.readUInt32LE(header) === 0x4550) return named('win32', bytes.readUInt16LE(header + 4))
  }
  return undefined
}

const isPe = (bytes: Buffer) => bytes.subarray(0, 2).equals(Buffer.from('MZ'))

/** Where a PE file of 64 bits says where its signature begins, and how long it is. */
const signaturePlace = (bytes: Buffer) => bytes.readUInt32LE(0x3c) + 24 + 112 + 4 * 8

const codeSignature = 0x1d

/** Whether a Mach-O or PE file has a signature, which injection makes wrong. */
export function isSigned(file: string): boolean {
  const bytes = readFileSync(file)
  if (isPe(bytes)) return bytes.readUInt32LE(signaturePlace(bytes)) > 0
  const commands = bytes.readUInt32LE(16)
  for (let at = 32, i = 0; i < commands; i++, at += bytes.readUInt32LE(at + 4)) {
    if (bytes.readUInt32LE(at) === codeSignature) return true
  }
  return false
}

/** Takes the signature out of a PE file: it is its end. Node.js does it by itself for Mach-O only. */
export function unsignPe(file: string): void {
  const bytes = readFileSync(file)
  const place = signaturePlace(bytes)
  const begin = bytes.readUInt32LE(place)
  const end = begin + bytes.readUInt32LE(place + 4)
  if (begin === 0) return
  if (end !== bytes.length) throw new Error(`${file}: the signature is not its end`)
  bytes.fill(0, place, place + 8)
  writeFileSync(file, bytes.subarray(0, begin))
}
