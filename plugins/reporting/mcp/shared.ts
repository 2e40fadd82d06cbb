import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server'
import { ofDeclarations } from '../../../schemas/area/index.ts'
import { fieldText } from '../../../schemas/area/written.ts'
import type { Schema } from '../openapi/document.ts'
import { lenient } from './lenient.ts'
import { type Detail, invalid, told } from './result.ts'
import { explained, type Tool } from './tool.ts'

/** With more tools than these, or a longer list of them, models choose worse: then the declared kinds share theirs. */
export const mostTools = 24
export const mostBytes = 11_900

const text = { type: 'string' }
const said = (description: string, type = 'string') => ({ type, description })
const rows = { type: 'array', items: { type: 'object' } }
const ofWrites = {
  // They take `dry_run` and `return`, too, as the tools that they stand for: the instructions explain these.
  ...{ idempotency_key: text, run: said('Its task.') }
}
const toolOf = (
  name: string,
  description: string,
  properties: object,
  required: string[],
  annotations?: ListedTool['annotations']
): ListedTool => ({
  ...{ name, description },
  ...(annotations && { annotations }),
  inputSchema: {
    type: 'object',
    properties: { ...properties },
    ...(required.length > 0 && { required })
  }
})

/** What `where` of `list_rows` is like, with a field of each kind. */
const whereExample =
  '{"recipe": 1, "day.from": "2026-01-31", "stars.in": [4, 5], "note.is": "null"}'

/** What stands for the tools of every declared kind. */
const shared = {
  describe_kinds: toolOf(
    'describe_kinds',
    'The other kinds of row and their fields; with `kind` all of one.',
    { kind: text },
    [],
    { readOnlyHint: true }
  ),
  list_rows: toolOf(
    'list_rows',
    `\`where\`, as ${whereExample}: \`.to\` excluded, \`.is\` null or set. \`sort\`: \`-day,title\`. \`with\`: fields whose rows to add.`,
    {
      ...{ kind: text, id: { type: 'integer' }, q: said('Text to find.') },
      ...{ where: { type: 'object' }, sort: text, with: text },
      ...{ count: said('Adds `total`.', 'boolean'), limit: { type: 'integer' } },
      ...{ cursor: said('`next_cursor` of the page before.') }
    },
    ['kind'],
    { readOnlyHint: true }
  ),
  create_rows: toolOf(
    'create_rows',
    '`items` have its fields.',
    { kind: text, items: rows, ...ofWrites },
    ['kind', 'items'],
    { destructiveHint: false }
  ),
  change_rows: toolOf(
    'change_rows',
    '`items`: `id` and what changes.',
    { kind: text, items: rows, ...ofWrites },
    ['kind', 'items']
  ),
  move_row: toolOf(
    'move_row',
    'To another of its states.',
    { kind: text, id: { type: 'integer' }, to_state: text, if_match: text, run: ofWrites.run },
    ['kind', 'id', 'to_state']
  ),
  delete_rows: toolOf(
    'delete_rows',
    'Deletes rows of a kind.',
    { kind: text, ids: { type: 'array', items: { type: 'integer' } }, ...ofWrites },
    ['kind', 'ids']
  )
} satisfies Record<string, ListedTool>
type Shared = keyof typeof shared
const isShared = (name: string): name is Shared => Object.hasOwn(shared, name)

/** The tools of a kind, by the shared ones that stand for them. */
const ofKind = ({ one, many }: { one: string; many: string }) => ({
  list_rows: `list_${many}`,
  create_rows: `create_${many}`,
  change_rows: `change_${many}`,
  delete_rows: `delete_${many}`,
  move_row: `move_${one}`
})
const own = new Set(ofDeclarations.flatMap((area) => Object.values(ofKind(area))))

/** Whether a tool is one of a declared kind. */
export const isOfDeclared = (name: string) => own.has(name)

/** The shared tools that stand for some of declared kinds. */
export const sharedFor = (names: readonly string[]): ListedTool[] =>
  Object.values(shared).filter(
    ({ name }) =>
      name === 'describe_kinds' || names.some((one) => one.startsWith(name.replace(/rows?$/, '')))
  )

/** Bounds: a refusal says them. */
const bounds = /^(min|max)(imum|Length|Items)$/

/** The schema of arguments beside shared tools: what is explained once is a type. */
function shortened(schema: Schema): Schema {
  const { properties, items, ...rest } = schema
  const kept = Object.entries(rest).filter(([key]) => !bounds.test(key) && key !== 'default')
  return {
    ...Object.fromEntries(kept),
    ...(items && { items: shortened(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => {
          const { description, ...bare } = shortened(member)
          const isKnown = explained.has(name) || name === 'sort' || description === undefined
          return [name, isKnown ? bare : { ...bare, description }]
        })
      )
    })
  }
}

/**
 * A tool beside shared ones: where there are many, its name must do, and what is so by default is not said. It takes
 * `return`, as they do.
 */
export function inShort({ title: _title, annotations: hints, ...tool }: Tool['definition']) {
  const { destructiveHint, ...others } = hints
  const annotations = destructiveHint === false ? hints : others
  const { return: amount, ...properties } = tool.inputSchema.properties
  const inputSchema = hints.readOnlyHint ? tool.inputSchema : { ...tool.inputSchema, properties }
  return {
    ...{ ...tool, inputSchema: { ...inputSchema, ...shortened(inputSchema) } },
    ...(Object.keys(annotations).length > 0 && { annotations })
  }
}

interface Resolved {
  tool: Tool
  given: Record<string, unknown>
}

/** The call of a tool of a kind that a call of a shared tool stands for, or its answer; undefined if the tool is not shared. */
export function resolveShared(
  name: string,
  sent: Readonly<Record<string, unknown>>,
  tools: ReadonlyMap<string, Tool>
): Resolved | CallToolResult | undefined {
  if (!isShared(name)) return undefined
  const { kind, where = {}, ...rest } = Object(lenient(sent, shared[name].inputSchema as Schema))
  const area = ofDeclarations.find(({ one }) => one === kind)
  if (name === 'describe_kinds' && kind === undefined)
    return told({ status: 'success', kinds: ofDeclarations.map(kindInShort) })
  const tool = area && tools.get(ofKind(area)[name === 'describe_kinds' ? 'create_rows' : name])
  const [any] = tools.values()
  if (!area || !tool) {
    const names = ofDeclarations.map(({ one }) => one).join(', ')
    if (!any) return undefined
    return invalid(any, [{ field: 'kind', message: `must be one of ${names}` }])
  }
  if (name === 'describe_kinds') {
    const { items } = tool.definition.inputSchema.properties
    const filters = tools.get(ofKind(area).list_rows)?.takes.properties ?? {}
    return told({
      status: 'success',
      kinds: [{ ...kindInShort(area), fields: items?.items, filters }]
    })
  }
  const wrong = name === 'list_rows' ? wrongIn(where, tool) : []
  if (wrong.length > 0) return invalid(tool, wrong)
  return { tool, given: Object(lenient({ ...where, ...rest }, tool.takes)) }
}

/** What is wrong with the filters of `list_rows`: each is a member as of HTTP, and nothing within it. */
function wrongIn(where: unknown, { form }: Tool): Detail[] {
  if (typeof where !== 'object' || where === null || Array.isArray(where)) {
    return [{ field: 'where', message: `must be an object such as ${whereExample}` }]
  }
  const own = shared.list_rows.inputSchema.properties ?? {}
  const names = [...form.places.keys()].filter((name) => !Object.hasOwn(own, name))
  return Object.entries(where).flatMap(([name, value]) => {
    const field = `where.${name}`
    if (!names.includes(name)) {
      return [{ field, message: `must be one of ${names.join(', ')}, such as ${whereExample}` }]
    }
    if (typeof value !== 'object' || (Array.isArray(value) && name.endsWith('.in'))) return []
    return [
      { field, message: `must be a single value, or with .in a list, such as ${whereExample}` }
    ]
  })
}

const kindInShort = ({ one, fields, row, states }: (typeof ofDeclarations)[number]) => ({
  kind: one,
  description: row.description,
  fields: Object.entries(fields).map(([name, field]) => fieldText(name, field)),
  ...(states && { states })
})
