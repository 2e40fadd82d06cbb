import { basename, dirname } from 'node:path'
import { readDeclaration } from '../../plugins/runtime/declarations.ts'
import { tableOf } from '../../schemas/area/declared.ts'
import { fieldsFrom } from '../../schemas/area/field.ts'
import { type Names, namesOf, refuse } from '../../schemas/area/names.ts'
import { addMigration, addToLists } from './lists.ts'
import { routes } from './templates/routes.ts'
import { type Described, schema } from './templates/schema.ts'
import { tableMigration } from './templates/table.ts'
import { areaTest } from './templates/tests.ts'
import type { Tree } from './tree.ts'

/** Writes a new area: `bookmark url:url label:text?`. @throws Refusal */
export function addArea(tree: Tree, [one = '', ...rest]: string[]) {
  const names = namesOf(one)
  const area = describedBy(one, rest)
  tree.requireClean()
  checkFree(tree, names)
  const { many } = names
  tree.add(`schemas/${one}.ts`, schema(names, area))
  tree.add(`routes/${one}.ts`, routes(names))
  tree.add(`test/routes/${one}.test.ts`, areaTest(names))
  addMigration(tree, many, tableMigration(names, area))
  addToLists(tree, names)
  return [
    `Read schemas/${one}.ts and routes/${one}.ts, in this order.`,
    `Try it: npm start, and GET /${one}/index.`
  ]
}

/** The description of a new area: from its fields, or from the file of its declaration. */
function describedBy(one: string, words: string[]): Described {
  const [option, file = '', ...more] = words
  if (option !== '--from') return { fields: fieldsFrom(words) }
  if (more.length > 0) refuse('--from takes one file, which has the fields')
  const { name, ...area } = readDeclaration(dirname(file), basename(file))
  if (name !== one) refuse(`${file} declares ${name}`)
  return { ...area, table: tableOf(name) }
}

/** Whether nothing else has one of the names of the area. @throws Refusal */
function checkFree(tree: Tree, { one, many, One, Many, ONE }: Names) {
  const sources = tree.paths.filter((path) =>
    /^(schemas|routes|plugins|lib|db)\/.*\.ts$|^app\.ts$/.test(path)
  )
  const has = (pattern: string, within = /./) =>
    sources.find((path) => within.test(path) && new RegExp(pattern).test(tree.read(path)))
  const taken: [what: string, where: string | undefined][] = [
    [`the path /${one}`, has(`['\`]/(${one}|${many})['\`/]`)],
    [`the table ${many}`, has(`createTable\\('(${one}|${many})'\\)`, /migrations/)],
    [
      `a component ${One}`,
      has(`(\\$id|name): '(New)?(${One}|${Many})(Change)?'`, /^(schemas|routes)/)
    ],
    [`the code ${ONE}-NOT-FOUND`, has(`['\`]${ONE}-(NOT-FOUND|ID-REQUIRED)`, /errors/)],
    [
      `the file ${one}.ts`,
      tree.paths.find((path) =>
        new RegExp(`^(schemas|routes|db/repositories)/(${one}|${many})(\\.ts|/)`).test(path)
      )
    ]
  ]
  for (const [what, where] of taken) if (where) refuse(`${what} is taken: ${where}`)
  const code = tree.read('app.ts').replaceAll(/\/\*.*?\*\/|\/\/.*|'[^']*'/gs, '')
  if (new RegExp(`\\b${one}\\b`).test(code)) refuse(`the name ${one} is taken: app.ts`)
}
