import { type Static, Type } from '@sinclair/typebox'
import { AnyKind } from './activity.ts'
import { orNull, PageQuery, ref, SearchText } from './common.ts'
import { kinds } from './kinds.ts'
import { Todo } from './todo.ts'

const any = `(${kinds.join('|')})`

export const SearchQuery = Type.Object({
  q: SearchText,
  kinds: Type.Optional(
    Type.String({
      pattern: `^${any}(,${any})*$`,
      'x-must': `name kinds, with commas between them, of ${kinds.join(', ')}`,
      'x-list': kinds,
      description: 'Only of these kinds.',
      examples: ['todo,memo']
    })
  ),
  limit: PageQuery.properties.limit,
  cursor: Type.Optional(
    Type.String({
      pattern: `^${any}:\\d{1,15}(,${any}:\\d{1,15})*$`,
      'x-must': 'be a `next_cursor` of this search',
      description: '`next_cursor` of the previous page.',
      examples: ['todo:7']
    })
  )
})
export type SearchQuery = Static<typeof SearchQuery>

const SearchResult = Type.Object(
  {
    kind: ref(AnyKind),
    row: {
      ...Type.Object({}, { additionalProperties: true }),
      description: 'The row.',
      'x-row': true
    }
  },
  {
    $id: 'SearchResult',
    description: 'A row that contains the text.',
    examples: [{ kind: 'todo', row: Todo.examples[0] }]
  }
)

/** The fields of a page of results. */
export const searchFields = {
  results: Type.Array(ref(SearchResult), { description: 'The newest first, by `created_at`.' }),
  kinds: Type.Array(ref(AnyKind), {
    description:
      'The kinds that were searched: of the wanted ones, all that your credential may read.'
  }),
  next_cursor: orNull(
    Type.String(),
    'Send it as `cursor` to get the next page; null at the end. A page may have few results or none and still not be the last.'
  )
}
