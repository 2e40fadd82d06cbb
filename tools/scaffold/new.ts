import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Refusal, refuse } from '../../schemas/area/names.ts'
import { addField } from './add-field.ts'
import { addArea } from './area.ts'
import { removeArea } from './remove.ts'
import { Tree } from './tree.ts'

const usage = `npm run new -- area NAME FIELD...|--from FILE   npm run new -- field AREA FIELD   npm run new -- remove AREA
A FIELD is name:type, name:type:options, and ends with ? if it may be left out (docs/areas.md)`

const commands: Record<string, (tree: Tree, args: string[]) => string[]> = {
  area: addArea,
  field: addField,
  remove: removeArea
}

const root = process.cwd()

/** Runs a program of the project. @throws Error with what it said if it fails. */
async function run(program: string, ...args: string[]) {
  const isNode = program === 'node'
  const child = spawn(isNode ? process.execPath : join(root, 'node_modules/.bin', program), args, {
    cwd: root
  })
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => said.push(part))
  const [status] = await once(child, 'close')
  if (status !== 0) {
    const lines = Buffer.concat(said).toString().trim().split('\n')
    const first = Math.max(
      0,
      lines.findIndex((line) => /^ *not ok/.test(line))
    )
    const text = lines.slice(first, first + 30).join('\n')
    throw new Error(`${[program, ...args].join(' ')} failed:\n${text}`)
  }
}

/** Writes what a command changes, with all that follows from it, and checks it; else leaves all as it was. */
async function write(tree: Tree) {
  // What is interrupted is undone too: the program that runs ends, and that is a failure.
  process.on('SIGINT', () => {})
  try {
    tree.apply()
    const written = tree.changes.filter(({ what }) => what !== 'removed').map(({ path }) => path)
    await run('biome', 'check', '--write', ...written.filter((path) => path.endsWith('.ts')))
    const tests = written.filter((path) => path.endsWith('.test.ts'))
    // Together, as most of it waits for one processor.
    const steps = await Promise.allSettled([
      run('node', 'tools/docs/generate.ts')
        .then(() => run('node', 'client/generate.ts'))
        .then(() => run('node', 'node_modules/typescript-7/bin/tsc', '--noEmit')),
      ...tests.map((test) => run('node', test))
    ])
    for (const step of steps) if (step.status === 'rejected') throw step.reason
  } catch (error) {
    tree.undo()
    throw error
  }
}

try {
  const [name = '', ...args] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name) && commands[name]
  if (!command || args.length === 0) refuse(usage)
  const tree = new Tree(root)
  const next = command(tree, args)
  await write(tree)
  for (const { what, path } of tree.changes) console.log(`${what}  ${path}`)
  for (const line of next) console.log(line)
} catch (error) {
  if (error instanceof Refusal) {
    console.error(error.message)
    process.exitCode = 2
  } else {
    console.error(`${error instanceof Error ? error.message : error}\nNothing was changed.`)
    process.exitCode = 1
  }
}
