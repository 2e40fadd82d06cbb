import { crc32 } from 'node:zlib'

/** The files of a zip whose entries are stored as they are, by their names. @throws Error if it is none, or was cut off */
export function filesOfZip(zip: Buffer) {
  const end = zip.lastIndexOf('PK\x05\x06')
  if (end === -1) throw new Error('it has no end')
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [crc, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)]
    const [name, extra, comment] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place))
    const start = zip.readUInt32LE(at + 42)
    const begin = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
    const content = zip.subarray(begin, begin + size)
    if (crc32(content) !== crc) throw new Error('an entry is damaged')
    files.set(zip.toString('utf8', at + 46, at + 46 + Number(name)), content)
    at += 46 + Number(name) + Number(extra) + Number(comment)
  }
  return files
}
