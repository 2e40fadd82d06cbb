import { posix } from 'node:path'
import { type Names, namesOf, refuse } from '../../schemas/area/names.ts'
import { addMigration, lists, migrations, migrationsOf } from './lists.ts'
import { dropMigration } from './templates/table.ts'
import type { Tree } from './tree.ts'

/** Removes an area: its files, and the lines that mention them. @throws Refusal */
export function removeArea(tree: Tree, [one = '', ...rest]: string[]) {
  if (rest.length > 0) refuse('one area at a time')
  const names = namesOf(one)
  const files = tree.paths.filter((path) => isOf(path, names))
  if (!files.some((path) => path.startsWith('routes/'))) refuse(`there is no area ${one}`)
  const own = migrationsOf(tree)
    .filter((name) => isMigrationOf(name, names))
    .map(fileOf)
  // What was written a moment ago need not be committed before it goes.
  tree.requireClean((path) => [...files, ...own, ...lists].includes(path) || tree.isGenerated(path))
  for (const file of files) tree.remove(file)
  const kept = tree.paths.filter((path) => tree.has(path))
  for (const path of kept) if (path.endsWith('.ts')) forget(tree, path, files)
  removeMigrations(tree, names)
  const parts: [path: string, pattern: RegExp][] = [
    ['schemas/kinds.ts', new RegExp(`,?\\n  ${one}: '.*?'`)],
    ['schemas/errors.ts', new RegExp(`^  '${names.ONE}-[A-Z-]+': \\{.*?^  \\},?\\n`, 'gms')],
    ['docs/contract.md', new RegExp(`^- \\*\\*${names.ONE}-\\d+\\*\\*.*\\n(  .*\\n)*`, 'gm')]
  ]
  for (const [path, pattern] of parts) {
    if (tree.read(path).search(pattern) !== -1) tree.edit(path, (text) => text.replace(pattern, ''))
  }
  const word = new RegExp(`\\b(${one}|${names.many})\\b`, 'i')
  const left = kept.filter(
    (path) =>
      tree.has(path) &&
      /^(?!tools\/scaffold\/).*\.(ts|md|eta)$/.test(path) &&
      !tree.isGenerated(path) &&
      word.test(tree.read(path))
  )
  return left.length > 0 ? [`The word is still in: ${left.join(', ')}`] : []
}

/** Whether a file belongs to an area, by its name or that of its folder. */
function isOf(path: string, { one, many }: Names) {
  const [, place, rest = ''] =
    /^(schemas|routes|db\/repositories|db\/actions|test\/routes|test\/contract\/areas|test\/support|tools\/soak|docs\/patterns)\/(.+)$/.exec(
      path
    ) ?? []
  const name = rest.split('/')[0]?.split('.')[0] ?? ''
  return name === one || name === many || (place === 'test/routes' && name.startsWith(`${one}-`))
}

const isMigrationOf = (name: string, { many }: Names) =>
  new RegExp(`-\\d\\d-${many}(-|$)`).test(name)
const fileOf = (name: string) => `db/migrations/${name}.ts`
const lineOf = (name: string) => new RegExp(`^ {2}'${name}': .*\\n(?: {4}.*\\n)?`, 'm')

/** Takes the imports of removed files out of a file, and each line that uses what they imported. */
function forget(tree: Tree, path: string, removed: string[]) {
  const imports = /^import (?:type )?([^']*?) from '(\.[^']+)'\n/gm
  const text = tree.read(path)
  const gone = [...text.matchAll(imports)].filter(([, , from = '']) =>
    removed.includes(posix.join(posix.dirname(path), from))
  )
  if (gone.length === 0) return
  const names = gone.flatMap(([, clause = '']) =>
    [...clause.matchAll(/(\w+)(?=\s*(?:,|\}|$))/g)].map(([, name]) => name)
  )
  const rest = gone.reduce((left, [statement]) => left.replace(statement, ''), text)
  tree.edit(path, () => rest.replaceAll(new RegExp(`^.*\\b(${names.join('|')})\\b.*\\n`, 'gm'), ''))
}

/**
 * Removes the migrations of an area, and gives those behind them their numbers. If one was released, all
 * stay, and a new one drops the tables.
 */
function removeMigrations(tree: Tree, names: Names) {
  const own = migrationsOf(tree).filter((name) => isMigrationOf(name, names))
  const released = tree.read('db/migrations/released.sha256')
  if (own.some((name) => released.includes(name))) {
    const sources = own.map((name) => tree.read(fileOf(name))).join('')
    const tables = [...sources.matchAll(/createTable\('(\w+)'\)/g)].map(([, name]) => String(name))
    const counted = [...sources.matchAll(/countUsage\(db, '(\w+)'/g)].map(([, name]) =>
      String(name)
    )
    addMigration(tree, `no-${names.many}`, dropMigration(tables, counted))
    return
  }
  for (const name of own) {
    tree.remove(fileOf(name))
    tree.edit(migrations, (text) => text.replace(lineOf(name), ''))
  }
  for (const [index, name] of migrationsOf(tree).entries()) {
    const renamed = name.replace(/-\d\d-(?=\D)/, `-${String(index + 1).padStart(2, '0')}-`)
    if (renamed === name) continue
    tree.add(fileOf(renamed), tree.read(fileOf(name)))
    tree.remove(fileOf(name))
    tree.edit(migrations, (text) => text.replaceAll(name, renamed))
  }
}
