import { readdir } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { accountTraffic } from './account.ts'
import { Caller } from './caller.ts'
import {
  type Area,
  type AreaTraffic,
  type CallerKind,
  Client,
  type Traffic,
  type World
} from './client.ts'
import type { Random } from './random.ts'
import { enter } from './sign-in.ts'

/** How long a client waits at most between two requests, in milliseconds; this limits the rate. */
const pauseMs = 40

/** One client with all its actions. */
export interface Actor {
  traffic: Traffic[]
  random: Random
}

/** Signs out and in again. */
async function renew(client: Client) {
  await client.caller.send('logout')
  await enter(client, 'session')
}

/** The traffic of every area: calls the exports of the files in `traffic/` for this run. */
export async function loadAreas(world: World): Promise<AreaTraffic[]> {
  const folder = new URL('traffic/', import.meta.url)
  const files = (await readdir(folder)).sort()
  const areas: { default: Area }[] = await Promise.all(
    files.map((file) => import(new URL(file, folder).href))
  )
  return areas.map((area) => area.default(world))
}

/** Makes and signs in all clients: users with a session and a JWT at once, an administrator with a session and as the agent. */
export async function makeActors(
  world: World,
  areas: AreaTraffic[],
  agentToken: string,
  random: Random
) {
  const actors: Actor[] = []
  const [root, ...users] = world.people
  if (!root) throw new Error('there are no people')
  world.audit.expect({
    login: 'login',
    logout: 'logout',
    issueToken: 'token-issue',
    resetPassword: 'password-change',
    changePassword: 'password-change'
  })
  const add = (client: Client, kind: CallerKind, ...traffic: Traffic[]) => {
    for (const area of areas) {
      if (area.traffic && area.callers?.includes(kind)) traffic.push(area.traffic(client))
    }
    actors.push({ traffic, random: client.random })
  }
  /** A client that changes its password has no other traffic, because each change ends its sessions. */
  const forgetful = users.splice(-2)

  for (const person of [root, ...users]) {
    const client = new Client(world, person, 'session', random.fork())
    await enter(client, 'session')
    const renewal = { actions: [() => renew(client)], check: async () => {} }
    add(client, person === root ? 'admin' : 'user', renewal)
  }
  for (const person of users) {
    const client = new Client(world, person, 'jwt', random.fork())
    await enter(client, 'jwt')
    add(client, 'jwt')
  }
  const agent = new Client(world, root, 'agent', random.fork())
  agent.caller.credentials = { authorization: `Bearer ${agentToken}` }
  add(agent, 'agent')
  for (const person of forgetful) {
    const client = new Client(world, person, 'session', random.fork())
    actors.push({ traffic: [accountTraffic(client)], random: client.random })
  }
  const visitor = { caller: new Caller(world), random: random.fork() }
  const actions = areas.flatMap((area) => area.visit?.(visitor) ?? [])
  actors.push({ traffic: [{ actions, async check() {} }], random: visitor.random })
  return actors
}

/** Does one action after another until `isOver`: in each round every action once, in random order. */
export async function act({ traffic, random }: Actor, isOver: () => boolean) {
  const actions = traffic.flatMap((it) => it.actions)
  while (!isOver()) {
    for (const action of random.shuffle(actions)) {
      if (isOver()) return
      await action()
      await wait(random.between(0, pauseMs))
    }
  }
}
