import { type Field, fieldOf } from './field.ts'
import { addMigration } from './lists.ts'
import { type Names, namesOf, pascal, refuse } from './names.ts'
import { sentOf, shownOf } from './templates/schema.ts'
import { columnMigration } from './templates/table.ts'
import { fieldTest } from './templates/tests.ts'
import type { Tree } from './tree.ts'

/** Adds a field to an area: `todo due_on:date?`. @throws Refusal */
export function addField(tree: Tree, [one = '', text = '', ...rest]: string[]) {
  const names = namesOf(one)
  const field = fieldOf(text)
  if (rest.length > 0) refuse('one field at a time')
  tree.requireClean()
  const schemas = `schemas/${one}.ts`
  if (!tree.has(schemas)) refuse(`there is no ${schemas}`)
  if (!field.isOptional) {
    refuse(`${text}: rows and callers that know nothing of it exist already, so it must end with ?`)
  }
  if (new RegExp(`\\bconst ${field.constant} |^ +${field.name}:`, 'm').test(tree.read(schemas))) {
    refuse(`${one} has ${field.name} already`)
  }
  tree.edit(schemas, (source) => inSchema(source, names, field))
  const dashed = field.name.replaceAll('_', '-')
  addMigration(tree, `${names.many}-${dashed}`, columnMigration(names, field))
  const folder = `test/routes/${one}/`
  const hasFolder = tree.paths.some((path) => path.startsWith(folder))
  const { paths } = JSON.parse(tree.read('docs/openapi.json'))
  const required = paths[`/${one}/index`]?.post?.requestBody.content['application/json'].example
  const canChange = paths[`/${one}/item/id_{id}`]?.patch !== undefined
  tree.add(
    hasFolder ? `${folder}${dashed}.test.ts` : `test/routes/${one}-${dashed}.test.ts`,
    fieldTest(names, field, { required, canChange, up: hasFolder ? '../../' : '../' })
  )
  const pages = tree.paths.filter(
    (path) => path.endsWith('.eta') && new RegExp(`\\b${names.many}\\b`).test(tree.read(path))
  )
  return pages.length > 0
    ? [`Pages that show ${names.many} do not show it yet: ${pages.join(', ')}`]
    : []
}

/** Adds the field to the row, and wherever the first field that callers write stands. */
function inSchema(source: string, { one, One }: Names, field: Field) {
  const beginning = source.indexOf(`export const ${One} = `)
  const end = source.indexOf(`export type ${One} = `)
  if (beginning === -1 || end < beginning) refuse(`schemas/${one}.ts has no ${One}`)
  const row = source.slice(beginning, end)
  const names = [...row.matchAll(/^ {4}(?!id\b)(\w+): /gm)].map(([, name]) => String(name))
  const [before, after] = [source.slice(0, beginning), source.slice(end)]
  const sent = names
    .map(
      (name) =>
        new RegExp(`\\b${name}: (Type\\.Optional\\()?(orNull\\()?${pascal(name)}\\b\\)*`, 'g')
    )
    .find((pattern) => pattern.test(after))
  if (!sent) refuse(`schemas/${one}.ts has no field that callers write`)
  const empty = field.ts === 'boolean' ? 'false' : 'null'
  const shown = row
    .replace(/ *created_at: Created/, `    ${shownOf(field)},\n$&`)
    .replaceAll(/ *created_at: '/g, `        ${field.name}: ${empty},\n$&`)
  const constant = `const ${field.constant} = ${field.schema}\n\n`
  return imports(before, field) + constant + shown + after.replaceAll(sent, `$&, ${sentOf(field)}`)
}

/** Imports what the schema of the field needs. */
function imports(source: string, { schema }: Field) {
  const isKnown = (name: string) => new RegExp(`^import .*?\\b${name}\\b`, 'ms').test(source)
  const common = isKnown('orNull')
    ? source
    : source.replace(/,?\s*\} from '\.\/common\.ts'/, ", orNull } from './common.ts'")
  if (!schema.includes('addressPattern') || isKnown('addressPattern')) return common
  return common.replace(
    /^import .*? from '\.\/common\.ts'\n/ms,
    "$&import { addressPattern } from './user.ts'\n"
  )
}
