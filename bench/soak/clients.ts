import { setTimeout as wait } from 'node:timers/promises'
import { Client, type Traffic, type World } from './client.ts'
import type { Random } from './random.ts'
import { enter } from './sign-in.ts'
import { accountTraffic } from './traffic/account.ts'
import { adminTraffic } from './traffic/admin.ts'
import { attachmentTraffic } from './traffic/attachment.ts'
import { memoTraffic } from './traffic/memo.ts'
import { reactionTraffic } from './traffic/reaction.ts'
import { todoTraffic } from './traffic/todo.ts'
import { visitorTraffic } from './traffic/visitor.ts'

/** A client waits so long between two things it does, at most, in milliseconds: this bounds the rate. */
const pauseMs = 40

/** One client with all that it does. */
export interface Actor {
  traffic: Traffic[]
  random: Random
  /** Undefined for visitors, who are nobody. */
  client?: Client
}

/** Signs out and in again. */
async function renew(client: Client) {
  await client.caller.send('logout')
  await enter(client, 'session')
}

/** Signs everybody in: users by session and by JWT at once, an administrator by session and as agent. */
export async function makeActors(world: World, agentToken: string, random: Random) {
  const actors: Actor[] = []
  const [root, ...users] = world.people
  if (!root) throw new Error('there are no people')
  const add = (client: Client, ...traffic: Traffic[]) =>
    actors.push({ client, traffic, random: client.random })
  /** Somebody who changes passwords has no other traffic, which those would sign out. */
  const forgetful = users.splice(-2)

  for (const person of [root, ...users]) {
    const client = new Client(world, person, 'session', random.fork())
    await enter(client, 'session')
    const renewal = { actions: [() => renew(client)], check: async () => {} }
    const own = person === root ? adminTraffic(client) : attachmentTraffic(client)
    add(client, todoTraffic(client), memoTraffic(client), reactionTraffic(client), own, renewal)
  }
  for (const person of users) {
    const client = new Client(world, person, 'jwt', random.fork())
    await enter(client, 'jwt')
    add(client, todoTraffic(client), reactionTraffic(client))
  }
  const agent = new Client(world, root, 'agent', random.fork())
  agent.caller.credentials = { authorization: `Bearer ${agentToken}` }
  add(agent, todoTraffic(agent), reactionTraffic(agent), adminTraffic(agent))
  for (const person of forgetful) {
    const client = new Client(world, person, 'session', random.fork())
    add(client, accountTraffic(client))
  }
  const luck = random.fork()
  actors.push({ traffic: [visitorTraffic(world, luck)], random: luck })
  return actors
}

/** Does one thing after the other, everything once a round and in random order, until `isOver`. */
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
