import { fieldFrom } from '../../schemas/area/field.ts'
import { type Names, namesOf, pascal, refuse } from '../../schemas/area/names.ts'
import { addMigration } from './lists.ts'
import { columnMigration } from './templates/table.ts'
import { fieldTest } from './templates/tests.ts'
import type { Tree } from './tree.ts'

/** Adds a field to an area: `todo due_on:date?`. @throws Refusal */
export function addField(tree: Tree, [one = '', text = '', ...rest]: string[]) {
  const names = namesOf(one)
  const [name, field] = fieldFrom(text)
  if (rest.length > 0) refuse('one field at a time')
  tree.requireClean()
  const schemas = `schemas/${one}.ts`
  if (!tree.has(schemas)) refuse(`there is no ${schemas}`)
  if (!field.optional && field.type !== 'boolean') {
    refuse(`${text}: rows and callers that know nothing of it exist already, so it must end with ?`)
  }
  if (field.unique) refuse(`${text}: rows may have the same already, so write its index by hand`)
  if (new RegExp(`\\bconst ${constantOf(name)} |^ +${name}:`, 'm').test(tree.read(schemas))) {
    refuse(`${one} has ${name} already`)
  }
  const description = `${JSON.stringify(field).replaceAll('"', "'")}`
  tree.edit(schemas, (source) =>
    source.includes('areaOf({')
      ? source.replace(/\bfields: \{/, (fields) => `${fields} ${name}: ${description},`)
      : inSchema(source, names, name, description)
  )
  const dashed = name.replaceAll('_', '-')
  addMigration(tree, `${names.many}-${dashed}`, columnMigration(names, name, field))
  const folder = `test/routes/${one}/`
  const hasFolder = tree.paths.some((path) => path.startsWith(folder))
  const { paths } = JSON.parse(tree.read('docs/openapi.json'))
  const required = paths[`/${one}/index`]?.post?.requestBody.content['application/json'].example
  const canChange = paths[`/${one}/item/id_{id}`]?.patch !== undefined
  tree.add(
    hasFolder ? `${folder}${dashed}.test.ts` : `test/routes/${one}-${dashed}.test.ts`,
    fieldTest(names, name, field, { required, canChange, up: hasFolder ? '../../' : '../' })
  )
  const pages = tree.paths.filter(
    (path) => path.endsWith('.eta') && new RegExp(`\\b${names.many}\\b`).test(tree.read(path))
  )
  return pages.length > 0
    ? [`Pages that show ${names.many} do not show it yet: ${pages.join(', ')}`]
    : []
}

/** The constant of a field: `dueOn`. */
const constantOf = (name: string) => pascal(name).replace(/^./, (first) => first.toLowerCase())

/** Adds the field to the row, and wherever the first field that callers write stands. */
function inSchema(source: string, { one, One }: Names, name: string, description: string) {
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
  const constant = constantOf(name)
  const shown = row
    .replace(/ *created_at: Created/, `    ${name}: ${constant}.shown,\n$&`)
    .replaceAll(/ *created_at: '/g, `        ${name}: ${emptyOf(description)},\n$&`)
  const made = `const ${constant} = fieldOf('${name}', ${description})\n\n`
  const imports = before.replace(
    /^import .*? from '\.\/common\.ts'\n/ms,
    "$&import { fieldOf } from './area/values.ts'\n"
  )
  const isKnown = before.includes('fieldOf')
  return (
    (isKnown ? before : imports) +
    made +
    shown +
    after.replaceAll(sent, `$&, ${name}: ${constant}.sent`)
  )
}

/** What a row shows that was made without the field. */
const emptyOf = (description: string) => (description.includes("'boolean'") ? 'false' : 'null')
