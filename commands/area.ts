import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  checkDeclared,
  countDeclared,
  declaredChanges,
  dropArea,
  dropField
} from '../db/declared/index.ts'
import { makeFolder } from '../db/folder.ts'
import { onSchema } from '../db/open.ts'
import { areasFolder, readDeclarations } from '../plugins/runtime/declarations.ts'
import { accessInWords } from '../schemas/area/access.ts'
import { checkDeclaration, type Declaration } from '../schemas/area/declaration.ts'
import { checkTogether } from '../schemas/area/declared.ts'
import type { Fields } from '../schemas/area/field.ts'
import { declarationSchema, types } from '../schemas/area/language.ts'
import { Refusal } from '../schemas/area/names.ts'
import { fieldsFrom, fieldText } from '../schemas/area/written.ts'
import type { Config } from '../schemas/config.ts'
import { CannotRun, type Commands, columns, onDatabase, UsageError } from './command.ts'

/** What is refused of a command line is a mistake in it: in this argument, if another is right. */
function refusing<T>(work: () => T, argument?: string, example?: string): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const told = argument === undefined ? error.message : `${argument}: ${error.message}`
    throw new UsageError(example === undefined ? told : `${told}; right is ${example}`)
  }
}

/** The declaration that the words of a command make, to stand beside others. @throws UsageError that names the argument */
function declaredBy(
  name: string,
  texts: readonly string[],
  { about, read, write }: Readonly<Partial<Record<string, string>>>,
  others: readonly Declaration[]
): Declaration {
  const fields = refusing(() => fieldsFrom(texts))
  refusing(() => checkDeclaration({ name, fields }), name, 'bookmark')
  const whole = described(name, fields, about?.split('\n'))
  refusing(() => checkDeclaration(whole), '--about', "'title=What it is called.'")
  const access = {
    ...(read && { read: read.split(',') }),
    ...(write && { write: write.split(',') })
  }
  const declared = { ...whole, ...access }
  const options = [read && `--read ${read}`, write && `--write ${write}`].filter(Boolean).join(' ')
  refusing(() => checkDeclaration(declared), options, '--read owner,users --write owner')
  refusing(() => checkTogether([...others, declared]))
  return declared
}

/** A declaration with what `--about` says of its fields, or of it. */
function described(name: string, fields: Fields, abouts: readonly string[] = []) {
  const known = new Map(Object.entries(fields))
  let description: string | undefined
  for (const about of abouts) {
    const [, field, text = about] = /^([a-z0-9_]+)=(.*)$/.exec(about) ?? []
    const of = known.get(field ?? '')
    if (field === undefined) description = text
    else if (of) known.set(field, { ...of, description: text })
    else
      throw new UsageError(
        `--about: there is no field ${field} in ${about}: there are ${[...known.keys()].join(', ')}`
      )
  }
  return { name, ...(description && { description }), fields: Object.fromEntries(known) }
}

/** A declaration without a field, or none. @throws Refusal */
function withoutField(declared: Declaration | undefined, field: string | undefined) {
  if (!declared || field === undefined) return undefined
  const { [field]: _dropped, ...fields } = declared.fields
  const left = { ...declared, fields }
  checkDeclaration(left)
  return left
}

/** What the command line takes as the type of a field. */
const typesInWords = Object.entries(types)
  .map(([type, kind]) =>
    'written' in kind ? `${type} (${kind.written.replaceAll('`', '')})` : type
  )
  .join(', ')

/** Beside the declarations: what editors check them with. */
const schemaFile = '.schema.json'
const textOf = (area: Declaration) => `${JSON.stringify(area, null, 2)}\n`

/** Runs work on tables and columns, once the database is migrated. */
async function onTables<T>(config: Config, work: Parameters<typeof onSchema<T>>[1]) {
  await onDatabase(config, async () => {})
  return onSchema(config, work)
}

export const areaCommands: Commands = {
  'area add': {
    operands: ['NAME', 'FIELD...'],
    options: { about: 'FIELD=TEXT', read: 'WHO', write: 'WHO' },
    about: `Declare an area of your own, such as \`bookmark url:url label:text?\`. A field is NAME:TYPE or NAME:TYPE:OPTIONS, then =VALUE for a default, ! if no two rows may have the same, ? if it may be left out. Types, and their options: ${typesInWords} (docs/areas.md). --about, given once for each, says what a field is for, and without FIELD= what a row is: people, programs and assistants read it. --read and --write say who else than its owner reads and changes a row, as \`owner,members\`: words, fields of type users, refs (docs/areas.md). The service has it from its next start on, or at once if it runs with --watch.`,
    async run({ operands: [name = '', ...texts], options }, load) {
      const folder = areasFolder(load())
      const others = readDeclarations(folder).filter((one) => one.name !== name)
      const area = declaredBy(name, texts, options, others)
      makeFolder(folder)
      writeFileSync(join(folder, schemaFile), JSON.stringify(declarationSchema, null, 2))
      const file = join(folder, `${name}.json`)
      try {
        writeFileSync(file, textOf({ $schema: `./${schemaFile}`, ...area }), {
          mode: 0o600,
          flag: 'wx'
        })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        throw new Error(`${file} exists: edit it, then run area check`)
      }
      return `wrote ${file}\nThe service has it from its next start (with --watch, at once): POST /${name}/index\n`
    }
  },
  'area list': {
    operands: [],
    about: 'List the declared areas, with their fields.',
    async run(_words, load) {
      const areas = readDeclarations(areasFolder(load()))
      return columns([
        ['AREA', 'READ', 'WRITE', 'FIELDS'],
        ...areas.map(({ name, fields, read = ['owner'], write = ['owner'] }) => [
          ...[name, read.join(), write.join()],
          Object.entries(fields)
            .map(([field, one]) => fieldText(field, one))
            .join(' ')
        ])
      ])
    }
  },
  'area check': {
    operands: [],
    about:
      'Find out whether the declared areas have a mistake, or have changed in a way that their rows do not allow; and say who can do what with their rows.',
    async run(_words, load) {
      const config = load()
      const areas = readDeclarations(areasFolder(config))
      await onTables(config, (db) => checkDeclared(db, areas))
      const said = areas.map((area) => `${area.name}: ${accessInWords(area).join(' ')}\n`)
      return `${said.join('')}no mistake in ${areas.length} ${areas.length === 1 ? 'area' : 'areas'}\n`
    }
  },
  'area diff': {
    operands: [],
    about: 'Say what the next start does to the rows of declared areas, and what it cannot do.',
    async run(_words, load) {
      const config = load()
      const areas = readDeclarations(areasFolder(config))
      const changes = await onTables(config, (db) => declaredChanges(db, areas))
      const told = changes.map(({ area, says, problem }) =>
        problem === undefined ? `${area}: ${says}\n` : `${area}: CANNOT: ${says}: ${problem}\n`
      )
      const isRefused = changes.some(({ problem }) => problem !== undefined)
      const stdout = told.join('') || 'nothing changes\n'
      return {
        code: isRefused ? 1 : 0,
        stdout,
        ...(isRefused && { problem: 'the next start is refused' })
      }
    }
  },
  'area drop': {
    operands: ['NAME'],
    options: { field: 'FIELD', yes: '' },
    about:
      'Delete a declared area with all its rows, or one field of it, for good: from the database and from its file. Stop the service first. Without --yes it only says what would go.',
    async run({ operands: [name = ''], options: { field, yes } }, load) {
      const config = load()
      const folder = areasFolder(config)
      const areas = readDeclarations(folder)
      const declared = areas.find((one) => one.name === name)
      const left = refusing(() => withoutField(declared, field))
      const others = areas.filter((one) => one !== declared)
      refusing(() => checkTogether([...others, ...(left ? [left] : [])]))
      const what = field === undefined ? name : `${field} of ${name}`
      const count = await onTables(config, async (db) => {
        const rows = await countDeclared(db, name, field)
        if (yes === undefined) return rows
        if (field === undefined) await dropArea(db, name)
        else await dropField(db, name, field)
        return rows
      })
      const rows = `${count} ${count === 1 ? 'row' : 'rows'}`
      if (yes === undefined)
        throw new CannotRun(`${what} would go, with ${rows}: add --yes to delete it for good`)
      if (declared) {
        const file = join(folder, `${name}.json`)
        if (left) writeFileSync(file, textOf(left))
        else rmSync(file)
      }
      return `deleted ${what}, with ${rows}\n`
    }
  }
}
