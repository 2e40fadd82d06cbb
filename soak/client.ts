import type { Config } from '../schemas/config.ts'
import type { Role } from '../schemas/user.ts'
import { Caller, type Context } from './caller.ts'
import type { Place, Read } from './database.ts'
import type { Random } from './random.ts'

export interface Person {
  id: number
  /** Login name. */
  user_id: string
  e_mail: string
  role: Role
  password: string
}

/** What the clients of a run share. */
export interface World extends Context {
  /** Of the service. */
  config: Config
  people: Person[]
  /** The folder with the sent mails. */
  outbox: string
}

export type Action = () => Promise<unknown>

/** The actions of one client in one area. */
export interface Traffic {
  /** The actions, repeated in random order. An action that is listed twice is done twice as often. */
  actions: Action[]
  /** Resolves requests without an answer, then compares what the service has with what is remembered. */
  check(): Promise<unknown>
}

/** The kinds of client: a user or an administrator with a session, a user with a JWT, the agent. */
export type CallerKind = 'user' | 'admin' | 'jwt' | 'agent'

/** A caller without an account. */
export type Visitor = Pick<Client, 'caller' | 'random'>

/** The traffic of an area in one run, and its checks at the end. */
export interface AreaTraffic {
  /** The kinds of client that have this traffic; none if absent. */
  callers?: readonly CallerKind[]
  traffic?(client: Client): Traffic
  /** The actions of callers without an account. */
  visit?(visitor: Visitor): Action[]
  /** Called after the checks of all clients, while the service is quiet. */
  checkDatabase?(read: Read): Promise<unknown>
  /** Called when the service has ended. */
  checkFiles?(place: Place): Promise<unknown>
}

/** The export of a file in `soak/traffic/`. It is called once for a run, so its variables are shared by the clients of that run. */
export type Area = (world: World) => AreaTraffic

/** A client that calls the service, one action at a time. */
export class Client {
  /** The names of everything that it makes begin with this. */
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

  /** Whether the name of a row shows that it belongs to this user. A row of another user is a problem. */
  checkOwner(kind: string, name: string) {
    if (name.startsWith(`${kind} ${this.person.user_id}.`)) return
    this.report.problem(`${this.name}: sees ${name}`)
  }
}
