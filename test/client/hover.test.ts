import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
// The generator's TypeScript: later majors have no API.
import ts from 'typescript'
import { temporaryFolder } from '../support/helper.ts'

const client = new URL('../../client/', import.meta.url).pathname
const program = `import { createClient, type Memo } from '${client}src/index.ts'
const api = createClient({ baseUrl: '' })
const { data } = await api.POST('/todo/index', { body: { title: 'x' } })
const { todo } = data
const { is_completed } = todo
for await (const file of api.pages('/attachment/index')) console.log(file.name, is_completed)
for await (const change of api.changes()) console.log(change.after)
export const memo = (memo: Memo) => memo.state
`

/** What an editor shows at the last place of a word in the program. */
function hovers(file: string) {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: []
  }
  const service = ts.createLanguageService({
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    realpath: ts.sys.realpath ?? ((path) => path),
    getCurrentDirectory: () => client,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    }
  })
  const wrong = service.getSemanticDiagnostics(file)
  t.same(
    wrong.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    []
  )
  return (word: string) => {
    const shown = service.getQuickInfoAtPosition(file, program.lastIndexOf(word))
    return ts.displayPartsToString([
      ...(shown?.displayParts ?? []),
      { kind: 'space', text: ' | ' },
      ...(shown?.documentation ?? [])
    ])
  }
}

t.test('an editor shows the names of types, and what they and their members are', async (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(
    join(client, '../node_modules/openapi-fetch'),
    join(folder, 'node_modules/openapi-fetch')
  )
  const file = join(folder, 'program.mts')
  writeFileSync(file, program)
  const hover = hovers(file)
  t.match(hover('todo }'), 'const todo: Todo')
  t.match(hover('file.name'), 'const file: Attachment')
  t.match(hover('change.after'), 'const change: WholeChange')
  t.match(hover('after)'), / \| The row after; null if deleted\.$/)
  t.equal(hover('is_completed)'), 'const is_completed: boolean | Whether it is done.')
  t.match(hover('Memo)'), / \| A note that has versions and a state\.$/)
  t.match(hover('state'), / \| .+\.$/)
})
