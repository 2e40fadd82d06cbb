import { type TSchema, Type } from '@sinclair/typebox'
import { LinkedAttachment } from '../attachment.ts'
import { ref } from '../common.ts'
import type { Kind } from '../kinds.ts'
import { type Area, areaOfKind, type Reference } from './index.ts'

/** The row of a kind that fields can refer to. @throws Error if there is no such kind */
function rowOf(kind: Kind): TSchema {
  const row = areaOfKind(kind)?.row ?? (kind === 'attachment' ? LinkedAttachment : undefined)
  if (!row) throw new Error(`fields cannot refer to ${kind}`)
  return row
}

/** What rows refer to: by one field, and then by a field of the row that it names. */
export interface Path {
  name: string
  first: Reference
  second?: Reference
}

const most = 10

/** The rows that a list can add to its own (`with`): what they are called, how they are asked for, and answered. */
export function relationsOf({ refs }: Area) {
  if (refs.length === 0) return undefined
  const paths = refs.flatMap((first): Path[] => [
    { name: first.field, first },
    ...(areaOfKind(first.to)?.refs ?? []).map((second) => ({
      ...{ name: `${first.field}.${second.field}`, first, second }
    }))
  ])
  const names = paths.map(({ name }) => name.replace('.', '\\.')).join('|')
  const rows = paths.map(({ name, first, second }) => [
    name,
    Type.Optional(Type.Array(ref(rowOf((second ?? first).to))))
  ])
  return {
    paths,
    query: {
      with: Type.Optional(
        Type.String({
          pattern: `^(${names})(,(${names})){0,${most - 1}}$`,
          'x-must': `be 1 to ${most} of ${paths.map(({ name }) => name).join(', ')}, separated by commas`,
          description: 'Fields whose rows to add, as `Data.with`.'
        })
      )
    },
    answer: {
      with: Type.Optional(
        Type.Object(Object.fromEntries(rows), {
          description:
            'With `with`: the rows that these refer to, each once, as far as you may read them, and as fit into 1 MiB.',
          'x-no-example': true
        })
      )
    }
  }
}
