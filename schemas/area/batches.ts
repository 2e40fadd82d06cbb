import { type TSchema, Type } from '@sinclair/typebox'
import { DryRun, Key, Natural, oneOf, ref, successOfMany, WasDryRun } from '../common.ts'
import { catalog, codesOf } from '../errors.ts'
import { BatchFailure, batchCounts, batchIndex } from '../failures.ts'
import type { Area } from './index.ts'
import { removedFields } from './removed.ts'

/** What the batches of an area take and answer, with at most `max` items (contract BATCH-1). */
export function batchesOf(area: Area, max: number) {
  const { kind, one, many, One, Many, row, created, changed } = area
  const { required, absent } = codesOf(kind)
  const key = Natural({
    description: `Key of the ${one}, a number.`,
    examples: [1],
    'x-error-codes': { required, type: required, minimum: required, maximum: absent }
  })
  const version = area.versions && {
    version: Natural({
      description: 'The version that it replaces.',
      examples: [1],
      'x-error-codes': { required: 'PRECONDITION-REQUIRED' }
    })
  }
  const change = Type.Object(
    { id: key, ...version, ...Type.Partial(changed).properties },
    {
      $id: `${One}ItemChange`,
      anyOf: Object.keys(changed.properties).map((name) => ({ required: [name] })),
      description: `Fields of one ${one} to change, at least one.`,
      examples: [{ id: 1, ...(area.versions && { version: 1 }), ...changed.examples[0] }]
    }
  )

  /** The schema of an item is for the document only: the validator would refuse all for one bad item. */
  const itemsOf = (item: TSchema) =>
    Type.Array(Type.Unknown(), {
      maxItems: max,
      description: 'Done in this order.',
      'x-error-codes': { maxItems: 'BATCH-TOO-LARGE' },
      'x-items': item
    })
  const bodyOf = (description: string, member: 'items' | 'ids', item: TSchema, example: unknown) =>
    Type.Object(
      { [member]: itemsOf(item), dry_run: DryRun },
      { description, examples: [{ [member]: [example] }] }
    )

  // The components of the first area that had batches have no other name.
  const name = kind === 'todo' ? 'Batch' : `${One}Batch`
  const item = Type.Object(
    {
      index: batchIndex,
      status: oneOf(['success', 'failure'], { description: 'Whether it was done.' }),
      id: Type.Optional({
        ...Key,
        description: `Of a deletion, and of what is asked for in short: the key of its ${one}.`
      }),
      [one]: Type.Optional(ref(row)),
      ...Type.Partial(Type.Omit(BatchFailure, ['index', 'status'])).properties
    },
    {
      $id: `${name}Item`,
      description: `The result of one item. With \`Prefer: return=minimal\` or \`dry_run\` only the \`id\` of its ${one}, if it has one.`
    }
  )
  const { message: errorMessage } = catalog[absent]
  const examples = [
    { index: 0, status: 'success', [one]: row.examples[0] },
    { index: 1, status: 'failure', errorCode: absent, errorMessage }
  ]
  return {
    /** Names a row. */
    key,
    change,
    bodies: {
      create: bodyOf(`${Many} to create.`, 'items', ref(created), created.examples[0]),
      change: bodyOf(`Changes of ${many}.`, 'items', ref(change), change.examples[0]),
      remove: bodyOf(
        `${Many} to delete${area.versions ? ', whatever their versions' : ''}.`,
        'ids',
        key,
        1
      )
    },
    answers: successOfMany(
      {
        items: Type.Array(ref(item), { description: 'One for each item, in order.' }),
        ...batchCounts,
        ...removedFields(kind),
        dry_run: WasDryRun
      },
      {
        name,
        whole: { items: examples.slice(0, 1), succeeded: 1, failed: 0 },
        some: { items: examples, succeeded: 1, failed: 1 }
      }
    )
  }
}
