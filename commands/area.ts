import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkRows } from '../db/declared.ts'
import { makeFolder } from '../db/folder.ts'
import { areasFolder, readDeclarations } from '../plugins/runtime/declarations.ts'
import { checkDeclaration, checkTogether } from '../schemas/area/declared.ts'
import { type Fields, fieldsFrom } from '../schemas/area/field.ts'
import { Refusal } from '../schemas/area/names.ts'
import { type Commands, columns, onDatabase, UsageError } from './command.ts'

/** What is refused of a command line is a mistake in it. */
function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof Refusal ? new UsageError(error.message) : error
  }
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
    else throw new UsageError(`--about: there is no field ${field}`)
  }
  return { name, ...(description && { description }), fields: Object.fromEntries(known) }
}

export const areaCommands: Commands = {
  'area add': {
    operands: ['NAME', 'FIELD...'],
    options: { about: 'FIELD=TEXT' },
    about:
      'Declare an area of your own, such as `bookmark url:url label:text?`. A field is NAME:TYPE or NAME:TYPE:OPTIONS, then =VALUE for a default, ! if no two rows may have the same, ? if it may be left out (docs/areas.md). --about, given once for each, says what a field is for, and without FIELD= what a row is: people, programs and assistants read it. The service has it from its next start on, or at once if it runs with --watch.',
    async run({ operands: [name = '', ...texts], options: { about } }, load) {
      const folder = areasFolder(load())
      const others = readDeclarations(folder).filter((one) => one.name !== name)
      const area = refusing(() => {
        const declared = described(name, fieldsFrom(texts), about?.split('\n'))
        checkDeclaration(declared)
        checkTogether([...others, declared])
        return declared
      })
      makeFolder(folder)
      const file = join(folder, `${name}.json`)
      try {
        const text = `${JSON.stringify(area, null, 2)}\n`
        writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
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
        ['AREA', 'FIELDS'],
        ...areas.map(({ name, fields }) => [
          name,
          Object.entries(fields)
            .map(([field, { type, optional, unique, default: value }]) => {
              const usual = value === undefined ? '' : `=${value}`
              return `${field}:${type}${usual}${unique ? '!' : ''}${optional ? '?' : ''}`
            })
            .join(' ')
        ])
      ])
    }
  },
  'area check': {
    operands: [],
    about:
      'Find out whether the declared areas have a mistake, or have changed in a way that their rows do not allow.',
    async run(_words, load) {
      const config = load()
      const areas = readDeclarations(areasFolder(config))
      checkRows(areas, await onDatabase(config, ({ repos }) => repos.areaDeclarations.list({})))
      return `no mistake in ${areas.length} ${areas.length === 1 ? 'area' : 'areas'}\n`
    }
  }
}
