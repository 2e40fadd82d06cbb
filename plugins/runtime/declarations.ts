import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  watch
} from 'node:fs'
import { join } from 'node:path'
import { isOwn } from '../../db/folder.ts'
import { checkDeclaration, type Declaration } from '../../schemas/area/declaration.ts'
import { checkTogether } from '../../schemas/area/declared.ts'
import { Refusal, refuse } from '../../schemas/area/names.ts'
import { coded } from '../../schemas/coded.ts'
import { writtenText } from '../../schemas/written-text.ts'

/** The most bytes of a declaration. */
const maxBytes = 64 * 1024

/** The folder of declarations, by the settings that name it. */
export const areasFolder = (config: { SVC_AREAS_DIR: string; SVC_DATA_DIR: string }) =>
  config.SVC_AREAS_DIR || join(config.SVC_DATA_DIR, 'areas')

/** The keys of each object of a JSON text are different: `JSON.parse` would keep the last one. @throws Refusal */
function checkKeys(text: string) {
  const open: (Set<string> | null)[] = []
  for (const [token, name] of text.matchAll(
    /("(?:[^"\\]|\\.)*")(?=\s*:)|"(?:[^"\\]|\\.)*"|[{}[\]]/g
  )) {
    const keys = open.at(-1)
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(null)
    else if (token === '}' || token === ']') open.pop()
    else if (name !== undefined && keys) {
      const key: string = JSON.parse(name)
      if (keys.has(key)) refuse(`${key} is there twice`)
      keys.add(key)
    }
  }
}

/** Reads a regular file of our own; a link could lead to any. @throws Error */
function textOf(file: string) {
  const found = lstatSync(file)
  if (!found.isFile()) refuse('it is no regular file')
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const stats = fstatSync(descriptor)
    const { uid, size } = stats
    if (!isOwn(stats)) refuse(`it belongs to another user (${uid})`)
    if (size > maxBytes) refuse(`it is larger than ${maxBytes} bytes`)
    return writtenText(readFileSync(descriptor))
  } finally {
    closeSync(descriptor)
  }
}

/** Reads the declaration of one area from its file. @throws Error with one line that names file and field */
export function readDeclaration(folder: string, name: string): Declaration {
  const file = join(folder, name)
  try {
    const text = textOf(file)
    const value: unknown = JSON.parse(text)
    checkKeys(text)
    checkDeclaration(value)
    if (`${value.name}.json` !== name)
      refuse(`name: the file of ${value.name} is ${value.name}.json`)
    return value
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`${file}: ${message.replaceAll(/\s+/g, ' ')}`, { cause: error })
  }
}

/** The areas that code and the files `NAME.json` of a folder declare. @throws Error with one line that names file and field */
export function readDeclarations(folder: string): Declaration[] {
  const areas = [...coded, ...namesIn(folder).map((name) => readDeclaration(folder, name))]
  try {
    checkTogether(areas)
  } catch (error) {
    throw error instanceof Refusal ? new Error(`${folder}: ${error.message}`) : error
  }
  return areas
}

function namesIn(folder: string) {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .sort()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    throw new Error(`cannot read the folder of areas: ${message}`, { cause: error })
  }
}

/** How long a folder is left alone before it is read: an editor writes a file in several steps. */
const quietMs = 100

/** Calls `onChange` when files of the folder have changed. @throws Error if the folder cannot be watched */
export function watchDeclarations(folder: string, onChange: () => void): void {
  let timer: NodeJS.Timeout | undefined
  watch(folder, () => {
    clearTimeout(timer)
    timer = setTimeout(onChange, quietMs)
  })
}
