import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server'
import { ofDeclarations } from '../../../schemas/area/index.ts'
import { fieldText } from '../../../schemas/area/written.ts'
import { invalid, told } from './result.ts'
import { explained, type Tool } from './tool.ts'

/** With more tools than these, or a longer list of them, models choose worse: then the declared kinds share theirs. */
export const mostTools = 24
export const mostBytes = 11_900

const text = { type: 'string' }
const rows = { type: 'array', items: { type: 'object' } }
const ofWrites = {
  // They take `dry_run` and `return`, too, as the tools that they stand for: the instructions explain these.
  ...{ idempotency_key: text, run: text }
}
const toolOf = (
  name: string,
  description: string,
  properties: object,
  required: string[],
  annotations: ListedTool['annotations']
): ListedTool => ({
  ...{ name, description, annotations },
  inputSchema: {
    type: 'object',
    properties: { ...properties },
    ...(required.length > 0 && { required })
  }
})

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
    '`where`: `{ "recipe": 1 }`. `sort`: `-day,title`. `with`: fields whose rows to add.',
    {
      ...{ kind: text, id: { type: 'integer' }, q: text, where: { type: 'object' } },
      ...{ sort: text, with: text, count: { type: 'boolean' } },
      ...{ limit: { type: 'integer' }, cursor: text }
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
    ['kind', 'items'],
    { destructiveHint: true }
  ),
  move_row: toolOf(
    'move_row',
    'To another of its states.',
    { kind: text, id: { type: 'integer' }, to_state: text, if_match: text, run: text },
    ['kind', 'id', 'to_state'],
    { destructiveHint: true }
  ),
  delete_rows: toolOf(
    'delete_rows',
    'Deletes rows of a kind.',
    { kind: text, ids: { type: 'array', items: { type: 'integer' } }, ...ofWrites },
    ['kind', 'ids'],
    { destructiveHint: true }
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

/** A tool beside shared ones: where there are many, its name must do, and what is explained once is a type. */
export function inShort({ title: _title, ...tool }: Tool['definition']) {
  const members = Object.entries(tool.inputSchema.properties).map(([name, member]) => {
    const { type, enum: words } = member
    const isKnown = explained.has(name) || ['run', 'sort'].includes(name)
    return [name, isKnown ? { type, ...(words && { enum: words }) } : member]
  })
  return { ...tool, inputSchema: { ...tool.inputSchema, properties: Object.fromEntries(members) } }
}

interface Resolved {
  tool: Tool
  given: Record<string, unknown>
}

/** The call of a tool of a kind that a call of a shared tool stands for, or its answer; undefined if the tool is not shared. */
export function resolveShared(
  name: string,
  given: Readonly<Record<string, unknown>>,
  tools: ReadonlyMap<string, Tool>
): Resolved | CallToolResult | undefined {
  if (!isShared(name)) return undefined
  const { kind, where = {}, ...rest } = given
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
    const list = tools.get(ofKind(area).list_rows)?.definition.inputSchema.properties ?? {}
    return told({
      status: 'success',
      kinds: [{ ...kindInShort(area), fields: items?.items, filters: list }]
    })
  }
  if (typeof where !== 'object' || where === null || Array.isArray(where)) {
    return invalid(tool, [{ field: 'where', message: 'must be object' }])
  }
  return { tool, given: { ...where, ...rest } }
}

const kindInShort = ({ one, fields, row, states }: (typeof ofDeclarations)[number]) => ({
  kind: one,
  description: row.description,
  fields: Object.entries(fields).map(([name, field]) => fieldText(name, field)),
  ...(states && { states })
})
