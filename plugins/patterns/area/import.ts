import { createReadStream } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { FieldArea } from '../../../schemas/area/index.ts'
import type { Detail } from '../../../schemas/failures.ts'
import { Failure } from '../../http/errors/index.ts'
import type { Checked } from '../../http/validation/checker.ts'
import { type Found, recordsOf } from './records.ts'
import { writesOf } from './writes.ts'

/** How many faults of a file are told. */
const maxFaults = 20
/** After this time other requests run. On SQLite they can read meanwhile; their writes wait. */
const stepMs = 10

/** What is wrong with a row, or with a field of it. */
export interface Fault {
  line: number
  field?: string
  message: string
  /** What the field has, if that is why; absent if another row is. */
  value?: unknown
}

interface Options {
  /** Who adds them: then what the database has is judged, too, while others write. */
  caller?: Parameters<ReturnType<typeof writesOf>['judging']>[0]
  /** The most rows of the file. */
  most?: number
  /** Is called after each row. */
  tell?(rows: number): void
}

function faultsOf(line: number, { code, data }: Failure, row?: unknown): Fault[] {
  const { details, message = code }: { details?: Detail[]; message?: string } = data ?? {}
  if (!details) return [{ line, message }]
  return details.map(({ field, message }) =>
    field === ''
      ? { line, message }
      : { line, field, message, ...(row !== undefined && { value: Object(row)[field] }) }
  )
}

/** Why a row is refused. @throws what is no refusal */
function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

/** Whether those that follow have no room either. */
const isFull = (refused: Failure | undefined) => refused?.data?.reason === 'quota'

async function* paced<Item>(items: AsyncIterable<Item>) {
  let until = performance.now() + stepMs
  for await (const item of items) {
    yield item
    if (performance.now() < until) continue
    await setImmediate()
    until = performance.now() + stepMs
  }
}

/**
 * Rows of files, for an area: first all are judged, then all are written or none. A file is read twice, so that its rows
 * need not be in memory. `check` judges what is sent to make a row.
 */
export function importOf(
  readers: Parameters<typeof writesOf>[0],
  area: FieldArea,
  check: (value: unknown) => Checked<object>
) {
  const writes = writesOf(readers, area, area.max)
  const rowsOf = (file: string) => paced(recordsOf(createReadStream(file), area.fields))

  /** What a row has that the service itself writes. */
  const ownNames = Object.keys(area.row.properties).filter(
    (name) => !Object.hasOwn(area.created.properties, name)
  )

  /** A row may have no members but those of the area. */
  function judge({ line, value, problem }: Found): { faults: Fault[]; value: object } {
    if (problem !== undefined) return { faults: [{ line, message: problem }], value: {} }
    const names = Object.keys(Object(value))
    const unknown = names.filter((name) => !Object.hasOwn(area.row.properties, name))
    const { failure, value: body } = check(value)
    const faults = [
      ...unknown.map((name) => ({ line, message: `there is no field ${name}` })),
      ...(failure ? faultsOf(line, failure, value) : [])
    ]
    return { faults, value: body ?? {} }
  }

  return {
    /** The members and columns that no row takes over. */
    ownNames,

    /** The first faults that are seen before anything is written, and which of its `ownNames` the file has. */
    async check(file: string, { most = Number.POSITIVE_INFINITY, tell, caller }: Options = {}) {
      const faults: Fault[] = []
      const judgeNew = caller && (await writes.judging(caller))
      const left = new Set<string>()
      let rows = 0
      for await (const found of rowsOf(file)) {
        if (rows === most) {
          const message = `there are more than ${most.toLocaleString('en')} rows`
          faults.push({ line: found.line, message })
          break
        }
        const { faults: own, value } = judge(found)
        faults.push(...own)
        if (judgeNew && own.length === 0) {
          const refused = await judgeNew({ ...value }).catch(failureOf)
          if (refused) faults.push(...faultsOf(found.line, refused))
          if (isFull(refused)) break
        }
        for (const name of ownNames) if (Object.hasOwn(Object(found.value), name)) left.add(name)
        rows++
        tell?.(rows)
        if (faults.length >= maxFaults) break
      }
      return { faults: faults.slice(0, maxFaults), rows, left: [...left] }
    },

    /** Writes the rows of a file that has no faults. If one is refused all the same, the caller takes back all. */
    async write(
      caller: Parameters<typeof writes.create>[0],
      file: string,
      { tell }: Pick<Options, 'tell'> = {}
    ) {
      const faults: Fault[] = []
      let rows = 0
      for await (const found of rowsOf(file)) {
        try {
          await writes.create(caller, { ...judge(found).value })
        } catch (error) {
          const refused = failureOf(error)
          faults.push(...faultsOf(found.line, refused))
          if (isFull(refused)) break
        }
        rows++
        tell?.(rows)
        if (faults.length >= maxFaults) break
      }
      return { faults: faults.slice(0, maxFaults), rows }
    }
  }
}
