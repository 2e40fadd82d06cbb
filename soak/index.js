// JavaScript, so that a Node that cannot run the rest can say so.
import { readFileSync } from 'node:fs'

const file = new URL('../package.json', import.meta.url)
const needed = JSON.parse(readFileSync(file, 'utf8')).engines.node.replace('>=', '')
if (Number.parseInt(process.versions.node, 10) < Number(needed)) {
  process.stderr.write(
    `soak needs Node ${needed} or newer, this is ${process.version}; npm run soak brings its own\n`
  )
  process.exit(1)
}
await import('./main.ts')
