import { isDeepStrictEqual } from 'node:util'
import type { Field, Fields } from './field.ts'
import { namesOf, refuse } from './names.ts'

/** Words of `read` and `write` that name no field. */
export const wordsOfAccess = ['owner', 'users', 'anyone', 'admins'] as const
type Word = (typeof wordsOfAccess)[number]

/** Why somebody may do something with a row. */
export type Grant =
  | { readonly by: Word }
  /** Whoever a field of users names. */
  | { readonly by: 'named'; readonly field: string }
  /** Whoever may do it with the row that a field refers to. */
  | { readonly by: 'referred'; readonly field: string; readonly to: string }

/** `manage`: to delete the row, and to change the fields that say who may do what with it. */
export const rights = ['read', 'write', 'manage'] as const
export type Right = (typeof rights)[number]

/** Who may do what with the rows of an area. */
export type Access = Readonly<Record<Right, readonly Grant[]>>

/** Rows that only their owner sees. */
export const ownerAlone: Access = {
  read: [{ by: 'owner' }],
  write: [{ by: 'owner' }],
  manage: [{ by: 'owner' }]
}

/** What a declaration says of who may do what. */
interface Described {
  readonly read?: readonly string[] | undefined
  readonly write?: readonly string[] | undefined
  readonly listed?: boolean | undefined
  readonly fields: Fields
}

/** So many references can lead from a row to the one that decides who may do what with it. */
const maxDepth = 3

const isWord = (text: string): text is Word => wordsOfAccess.some((word) => word === text)

function grantOf(word: string, fields: Fields): Grant | undefined {
  if (isWord(word)) return { by: word }
  const field: Field | undefined = Object.hasOwn(fields, word) ? fields[word] : undefined
  if (field?.type === 'users') return { by: 'named', field: word }
  if (field?.type === 'ref' && field.to) return { by: 'referred', field: word, to: field.to }
  return undefined
}

/** Who may do what, as a declaration says. */
export function accessOf({ read = ['owner'], write = ['owner'], fields }: Described): Access {
  const [readers, writers] = [read, write].map((words) =>
    words.map((word) => grantOf(word, fields)).filter((grant) => grant !== undefined)
  ) as [Grant[], Grant[]]
  return { read: readers, write: writers, manage: writers.filter(({ by }) => by !== 'users') }
}

/** Whether others than its owner may read a row. */
export const isShared = ({ read }: Pick<Access, 'read'>) =>
  read.length !== 1 || read[0]?.by !== 'owner'

/** Whether rows can be read without a credential. */
export const isPublic = ({ read }: Pick<Access, 'read'>) => read.some(({ by }) => by === 'anyone')

/** Stands for a reader without a credential: no user has this id. */
export const nobody = 0

const isBy = (field: string) => (grant: Grant) => grant.by === 'referred' && grant.field === field

/** Whether whoever may write the row that a field refers to may write this one. */
export const decides = ({ write }: Access, field: string) => write.some(isBy(field))

/** Whether what a field refers to says who may do something with a row. */
export const rules = ({ read, write }: Access, field: string) =>
  [...read, ...write].some(isBy(field))

/** @throws Refusal if the words of a declaration are none, or let somebody write who does not read */
export function checkAccess(described: Described): void {
  const { fields, read = ['owner'], write = ['owner'], listed } = described
  for (const [key, words] of Object.entries({ read, write })) {
    const unknown = words.find((word) => !grantOf(word, fields))
    if (unknown === undefined) continue
    refuse(
      `${key}: ${unknown} is none of ${wordsOfAccess.join(', ')}, and no field of type users or ref`
    )
  }
  const isNamed = (word: string) => Object.hasOwn(fields, word)
  const meant = isShared(accessOf(described)) ? wordsOfAccess.find(isNamed) : undefined
  if (meant) refuse(`${meant}: a field has no name that read and write use`)
  if (write.includes('anyone')) refuse('write: a visitor can read, never write')
  const reads = (word: string) =>
    ['anyone', word].some((one) => read.includes(one)) ||
    (word !== 'anyone' && read.includes('users'))
  const blind = write.find((word) => !reads(word))
  if (blind !== undefined) refuse(`write: ${blind} writes, so read must name it too`)
  if (listed && !read.includes('anyone')) refuse('listed: visitors do not read the rows')
}

/** The areas that decide who may do something with rows of this one. */
const decidedBy = ({ read = [], write = [], fields }: Described) =>
  [...read, ...write].flatMap((word) => {
    const grant = grantOf(word, fields)
    return grant?.by === 'referred' ? [grant.to] : []
  })

/** @throws Refusal if areas decide about each other in a circle, or over too many rows */
export function checkDecisions(areas: readonly (Described & { readonly name: string })[]): void {
  const known = new Map(areas.map((area) => [area.name, area]))
  function walk(path: readonly string[]) {
    const area = known.get(path.at(-1) ?? '')
    for (const next of area ? decidedBy(area) : []) {
      const whole = [...path, next].join(' -> ')
      if (path.includes(next)) refuse(`${path[0]}: read and write go in a circle: ${whole}`)
      if (path.length > maxDepth)
        refuse(`${path[0]}: read and write go over more than ${maxDepth} references: ${whole}`)
      walk([...path, next])
    }
  }
  for (const { name } of areas) walk([name])
}

/** Made when it is needed: the first one takes 25 ms, which most starts can do without. */
const inList = (words: readonly string[]) => new Intl.ListFormat('en').format(words)

/** Who can do what with the rows of an area, in sentences for people. */
export function accessInWords(area: Described & { readonly name: string }): string[] {
  const { read, write } = accessOf(area)
  const { many, aOne } = namesOf(area.name)
  const isIn = (grants: readonly Grant[], grant: Grant) =>
    grants.some((one) => isDeepStrictEqual(one, grant))
  const sentenceOf = (grant: Grant): string => {
    const writes = isIn(write, grant)
    const deeds = inList(['read', ...(writes ? ['change', 'delete'] : [])])
    switch (grant.by) {
      case 'anyone':
        return `Visitors can read all ${many}, without signing in.`
      case 'users':
        return writes
          ? `Everybody who is signed in can read and change all ${many}.`
          : `Everybody who is signed in can read all ${many}.`
      case 'admins':
        return `Administrators can ${deeds} all ${many}.`
      case 'owner':
        return `Who made ${aOne} can ${deeds} it.`
      case 'named':
        return `Whoever is named in ${grant.field} of ${aOne} can ${deeds} it.`
      case 'referred': {
        const target = namesOf(grant.to)
        const deed = writes ? 'read, change, or delete' : 'read'
        const by = grant.field === grant.to ? `its ${many}` : `${many} whose ${grant.field} it is`
        return `Whoever can ${deed} ${target.aOne} can do the same with ${by}.`
      }
    }
  }
  // Who writes reads, by this word or by one that says more.
  return [...read, ...write.filter((grant) => !isIn(read, grant))].map(sentenceOf)
}
