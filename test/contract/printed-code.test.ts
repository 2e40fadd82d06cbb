import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { temporaryFolder } from '../support/folder.ts'
import { blocksOf, nameOf } from '../support/printed.ts'

const root = join(import.meta.dirname, '../..')

/** What the code of a document has around it. */
const surroundings: Readonly<Record<string, string>> = {
  'docs/patterns/circuit-breaker.md': `
    interface Order { id: number }
    declare const order: Order
    declare function post(path: string, body: Order, signal: AbortSignal): Promise<{ id: number }>`,
  'docs/patterns/reactions.md': `
    import { toggleReaction } from '${root}/db/actions/reactions.ts'
    import { conflict } from '${root}/plugins/http/errors/index.ts'
    declare const id: number`,
  'docs/patterns/signed-url.md': `
    import { Type } from '@sinclair/typebox'
    import { ok } from '${root}/schemas/common.ts'
    const ReportKey = Type.Object({ id: Type.Integer() })
    declare function read(): Promise<string>`,
  'docs/patterns/webhook.md': `
    import webhookSignature from '${root}/plugins/patterns/webhook-signature.ts'
    import { fail } from '${root}/plugins/http/errors/index.ts'
    declare const secret: string`,
  'docs/patterns/workflow.md': `
    import { workflow } from '${root}/plugins/patterns/workflow.ts'
    type State = 'draft' | 'published' | 'archived'
    declare const id: number
    declare function read(id: number): Promise<{ state: State }>
    declare const repo: { transition(query: { id: number; from: State; to: State }): Promise<object | undefined> }`
}

const before = `
    import '${root}/app.ts'
    import type { FastifyInstance, FastifyRequest } from 'fastify'
    import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'`

const inFunction = (code: string) => `
export async function shown(all: FastifyInstance, request: FastifyRequest<{ Body: { to_state: 'draft' | 'published' | 'archived' } }>) {
const app = all.withTypeProvider<TypeBoxTypeProvider>()
${code}}
`

t.test('the code that documents show compiles', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const names = Object.entries(surroundings).map(([file, around], index) => {
    const blocks = blocksOf(file).filter(({ language }) => language === 'ts')
    t.equal(blocks.length, 1, file)
    const name = `${index}.ts`
    writeFileSync(join(folder, name), `${before}${around}\n${inFunction(blocks[0]?.content ?? '')}`)
    return { name, block: blocks[0] }
  })
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { incremental: false, noUnusedLocals: false, noUnusedParameters: false },
      include: [],
      files: names.map(({ name }) => name)
    })
  )
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', '.'], {
    cwd: folder,
    encoding: 'utf8'
  })
  for (const { name, block } of names) {
    const found = stdout.split('\n').filter((line) => line.startsWith(`${name}(`))
    t.same(found, [], block ? nameOf(block) : name)
  }
  t.equal(stdout, '')
})
