import { type Names, refuse } from '../../schemas/area/names.ts'
import type { Tree } from './tree.ts'

const repositories = 'db/repositories/index.ts'
export const migrations = 'db/migrations/index.ts'
const kinds = 'schemas/kinds.ts'
/** What names every area. */
export const lists = ['app.ts', kinds, migrations, repositories]

/** Adds an import after those that are there; the formatter puts it in order. */
const withImport = (text: string, line: string) =>
  text.replace(/^import .*\n(?=\n)/m, (last) => `${last}${line}\n`)

/** The four lines that make an area known: its kind, its migration, its repository, its routes. */
export function addToLists(tree: Tree, { one, many }: Names) {
  tree.edit(kinds, (text) => text.replace(/\n\} as const/, `,\n  ${one}: '${many}'\n} as const`))
  tree.edit(repositories, (text) =>
    withImport(text, `import { ${one} } from '../../schemas/${one}.ts'`).replace(
      /\n\}\n\ntype All/,
      `,\n  ${many}: ownRepository(${one})\n}\n\ntype All`
    )
  )
  tree.edit('app.ts', (text) =>
    withImport(text, `import ${one} from './routes/${one}.ts'`).replace(
      /\n {2}\/\/ Pages, last: /,
      `\n  await app.register(${one}, config)$&`
    )
  )
}

/** Adds a migration under the next number. @returns Its path. */
export function addMigration(tree: Tree, what: string, source: string) {
  const names = migrationsOf(tree)
  const newest = names.at(-1)?.slice(0, 10) ?? ''
  const today = new Date().toISOString().slice(0, 10)
  const number = String(names.length + 1).padStart(2, '0')
  const name = `${today > newest ? today : newest}-${number}-${what}`
  if (names.some((before) => before.slice(14) === what)) refuse(`there is a migration ${what}`)
  tree.edit(migrations, (text) =>
    text.replace(/\n\}\n*$/, `\n  '${name}': () => import('./${name}.ts'),\n}\n`)
  )
  tree.add(`db/migrations/${name}.ts`, source)
}

/** The names of all migrations, oldest first. */
export const migrationsOf = (tree: Tree) =>
  [...tree.read(migrations).matchAll(/^ {2}'([\w-]+)': /gm)].map(([, name]) => String(name))
