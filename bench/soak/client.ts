import type { Role } from '../../schemas/user.ts'
import { Caller, type Context } from './caller.ts'
import type { Random } from './random.ts'
import type { Row } from './row.ts'

export interface Person {
  id: number
  /** Login name. */
  user_id: string
  e_mail: string
  role: Role
  password: string
}

export interface Flag {
  is_enabled: boolean
  rollout_pct: number
}

/** What the clients of a run share. */
export interface World extends Context {
  people: Person[]
  /** Folder of mails that were sent. */
  outbox: string
  webhookSecret: string
  /** Todos of somebody, for others to ask for in vain. */
  todos: { id: number; owner: Person }[]
  flags: Map<string, Row<Flag>>
  /** By `<flag> <user id>`. */
  overrides: Map<string, Row<{ is_enabled: boolean }>>
  /** Reactions by user, target and type, as the database writes them. */
  reactions: Map<string, Row<{ present: true }>>
  /** Events by payload: times stored. */
  webhooks: Map<string, Row<{ stored: true }>>
  /** Mails by subject. */
  mails: Map<string, Row<{ sent: true }>>
}

/** What one client does in one area. */
export interface Traffic {
  /** Done in random order, again and again; what stands here twice is done twice as often. */
  actions: (() => Promise<unknown>)[]
  /** Ends what is in doubt and holds all there is against what is remembered. */
  check(): Promise<unknown>
}

/** Somebody who calls the service, one thing at a time. */
export class Client {
  /** Begins the name of everything it makes. */
  readonly name: string
  readonly person: Person
  readonly caller: Caller
  readonly random: Random
  readonly world: World

  constructor(world: World, person: Person, via: 'session' | 'jwt' | 'agent', random: Random) {
    this.name = `${person.user_id}.${via}`
    this.person = person
    this.caller = new Caller(world, person.id)
    this.random = random
    this.world = world
  }

  get report() {
    return this.world.report
  }

  /** Whether a row is its user's, by its name; a row of somebody else is a problem. */
  checkOwner(kind: string, name: string) {
    if (name.startsWith(`${kind} ${this.person.user_id}.`)) return
    this.report.problem(`${this.name}: sees ${name}`)
  }
}
