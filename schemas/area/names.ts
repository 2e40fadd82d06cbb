/** Why a name is refused, in one line for people. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** Which member of a declaration it is about, and what that must be or do. */
  readonly member: Member | undefined
  constructor(why: string, member?: Member) {
    super(why)
    this.member = member
  }
}
interface Member {
  key: string
  must: string
}

export function refuse(why: string, member?: Member): never {
  throw new Refusal(why, member)
}

/** Words that PostgreSQL, SQLite or TypeScript keep for themselves, as far as they fit a name here; also columns that PostgreSQL has. */
const reserved = new Set(
  `all alter analyse analyze and any array as asc asymmetric async await begin between bigint boolean both break
  by case cast catch check class cmax cmin collate column commit const constraint constructor continue create
  cross ctid current_date current_time current_timestamp current_user debugger default deferrable delete desc
  distinct do drop else end enum escape except exists export extends false fetch finally for foreign from full
  function glob grant group having if ilike import in index initially inner insert instanceof integer interface
  intersect into is isnull join key lateral leading left let like limit localtime localtimestamp natural new not
  notnull null number object offset on only or order outer over overlaps package placing primary private
  protected public raise references regexp return returning right rollback row rows select session_user set
  similar some static string super switch symbol symmetric table tableoid tablesample then this throw time
  timestamp to trailing transaction trigger true try type typeof undefined union unique unknown update user
  using values var variadic verbose view void when where while window with xmax xmin yield`.split(
    /\s+/
  )
)

/**
 * Names that every area has, or that lists, tools, forms, statements and undo give a meaning. A new argument of a statement
 * that is no column is in camel case (`ifVersion`): no field has such a name.
 */
const taken = new Set(
  `id user_id created_at updated_at cursor q updated_since run idempotency_key if_match ids items now max by
  before after from action form_id sure dry_run csrf_token`.split(/\s+/)
)

/** Names that the code of an area uses for something else. */
const used = new Set(
  'app body change create full item least list query reply request viewer'.split(' ')
)

/** Checks a name of the form that `what` has. @throws Refusal */
function check(name: string, what: string, form: RegExp) {
  if (!form.test(name)) refuse(`${name} is no name of ${what}: it matches ${form.source}`)
  if (reserved.has(name)) refuse(`${name} is a word of SQL or TypeScript`)
}

export function checkFieldName(name: string) {
  check(name, 'a field', /^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$/)
  if (taken.has(name) || name.startsWith('expected_')) {
    refuse(`${name} already has a meaning for every area: give the field another name`)
  }
  if (name.length > 40) refuse(`${name} is longer than 40 characters`)
}

/** The forms of an area's name that its files, tables and types have. */
export interface Names {
  /** `bookmark`: paths, scopes, files. */
  one: string
  /** `bookmarks`: table, repository, lists. */
  many: string
  /** `Bookmark` and `Bookmarks`: components, operations. */
  One: string
  Many: string
  /** `BOOKMARK`: codes. */
  ONE: string
  /** `a bookmark` */
  aOne: string
}

/** @throws Refusal */
export function namesOf(one: string): Names {
  check(one, 'an area', /^[a-z]{2,24}$/)
  if (used.has(one) || taken.has(one)) refuse(`${one} has another meaning in the code of an area`)
  if (/[^s]s$/.test(one)) refuse(`${one} looks like several: name one of them`)
  const many = pluralOf(one)
  check(many, 'a table', /^[a-z]+$/)
  const aOne = `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`
  return { one, many, One: pascal(one), Many: pascal(many), ONE: one.toUpperCase(), aOne }
}

function pluralOf(one: string) {
  if (/[^aeiou]y$/.test(one)) return `${one.slice(0, -1)}ies`
  return /(s|x|z|ch|sh)$/.test(one) ? `${one}es` : `${one}s`
}

/** `due_on` is `DueOn`. */
export const pascal = (name: string) =>
  name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
