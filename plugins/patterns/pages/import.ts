import { randomUUID } from 'node:crypto'
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { FieldArea } from '../../../schemas/area/index.ts'
import { ref } from '../../../schemas/common.ts'
import { Failure, fail } from '../../http/errors/index.ts'
import { type Fault, importOf } from '../area/import.ts'
import { schemaOf, sentence } from './fields.ts'
import { form } from './form.ts'

/** What the page takes; the command has no such bounds. */
export const mostBytes = 5_000_000
const mostRows = 10_000

/** What the page says beside the input. Not made at the start: the first number that is written takes 13 ms. */
export const importHint = () =>
  `CSV with a header row, JSON, or JSON Lines: at most ${mostBytes / 1e6} MB and ${mostRows.toLocaleString('en')} rows.`

/** What is no sentence yet: `is no JSON`, `there is no field colour`. */
const told = (message: string) =>
  `${/^(is|must) /.test(message) ? 'This ' : ''}${message}`
    .replace(/ be object$/, ' be an object')
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/[^.]$/, (last) => `${last}.`)

function refuse(lines: readonly string[]): never {
  throw new Failure('VALIDATION-FAILED', { data: { lines } })
}

/** The form that takes the rows of a file: all of them, as one run, or none. */
export function importForm(
  app: FastifyInstance,
  area: FieldArea,
  fields: TObject,
  labelOf: (name: string) => string
) {
  const rows = importOf(app, area, app.check(ref(area.created)))
  const properties: Partial<Record<string, TSchema>> = fields.properties

  /** What the file says of a row stands beside what it has; what the database says is about others, too. */
  const said = ({ line, field, message, ...given }: Fault) => {
    if (field === undefined) return `Line ${line}: ${told(message)}`
    const { value } = given
    const schema = 'value' in given ? properties[field] : undefined
    if (!schema) return `Line ${line}, ${labelOf(field)}: ${told(message)}`
    const { enum: among } = schemaOf(schema)
    const words =
      among && value !== undefined
        ? // A form shows them, a file does not.
          `Use one of these: ${among.join(', ')}.`
        : sentence(schema, value, message)
    return `Line ${line}, ${labelOf(field)}: ${words}`
  }

  return form(app, Type.Object({ file: Type.Optional(Type.String()) }), {
    once: true,
    done: 'All rows in the file were added.',
    leavesOut: rows.ownNames,
    words: {
      'VALIDATION-FAILED': 'Nothing was added. Correct the file, then choose it again.',
      'UPLOAD-FILE-REQUIRED': 'Choose a file that is not empty.',
      'UPLOAD-TOO-LARGE': `Choose a file of at most ${mostBytes / 1e6} MB.`
    },
    at: { 'UPLOAD-FILE-REQUIRED': 'file', 'UPLOAD-TOO-LARGE': 'file' },
    isLong: true,
    async prepare(_fields, request) {
      const { path, size } = request.received.get('file') ?? fail('UPLOAD-FILE-REQUIRED')
      if (size === 0) fail('UPLOAD-FILE-REQUIRED')
      if (size > mostBytes) fail('UPLOAD-TOO-LARGE')
      const { viewer, actor } = request
      const run = `import-${randomUUID()}`
      const by = { viewer, actor: { ...actor, run } }
      const caller = { ...by, repos: request.repos }
      const { faults, left, rows: count } = await rows.check(path, { most: mostRows, caller })
      if (faults.length > 0) refuse(faults.map(said))
      if (count === 0) refuse(['There are no rows in the file.'])
      return () =>
        request.transaction(async (repos) => {
          const { faults } = await rows.write({ ...by, repos }, path)
          if (faults.length > 0) refuse(faults.map(said))
          return { left, ...(app.activity.isOn && { run }) }
        })
    }
  })
}
