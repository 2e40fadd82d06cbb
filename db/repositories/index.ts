import { ofDeclarations } from '../../schemas/area/index.ts'
import { memo } from '../../schemas/memo.ts'
import type { Connection } from '../connection.ts'
import { type AnyOwn, type AnyReads, ownRepository } from '../own/index.ts'
import { recorder } from '../own/record.ts'
import type { Undoable } from '../own/writes.ts'
import { statements } from '../statement.ts'
import { accessTokens } from './access-tokens.ts'
import { addressChanges } from './address-changes.ts'
import { areaDeclarations } from './area-declarations.ts'
import { attachments } from './attachments.ts'
import { audit } from './audit.ts'
import { changes } from './changes.ts'
import { changesAfter } from './changes-after.ts'
import { deliveries } from './deliveries.ts'
import { dueSubscriptions } from './due-subscriptions.ts'
import { earlierTokens } from './earlier-tokens.ts'
import { featureFlags } from './feature-flags.ts'
import { feed } from './feed.ts'
import { idempotencyKeys } from './idempotency-keys.ts'
import { answeredSignIns, identities } from './identities.ts'
import { loginFailures, unknownLoginFailures } from './login-failures.ts'
import { marks } from './marks.ts'
import { oauthClients, oauthGrants } from './oauth.ts'
import { oauthStates } from './oauth-states.ts'
import { passkeys, usedPasskeyChallenges } from './passkeys.ts'
import { passwordResets } from './password-resets.ts'
import { pendingSignIns } from './pending-sign-ins.ts'
import { plans } from './plans.ts'
import { reactions } from './reactions.ts'
import { runs } from './runs.ts'
import { recoveryCodes, secondFactors } from './second-factors.ts'
import { sessions } from './sessions.ts'
import { signUps } from './sign-ups.ts'
import { subscriptionPauses } from './subscription-pauses.ts'
import { subscriptions } from './subscriptions.ts'
import { todos } from './todos.ts'
import { userAccounts } from './user-accounts.ts'
import { users } from './users.ts'
import { webhookEvents } from './webhook-events.ts'

const all = {
  users,
  userAccounts,
  sessions,
  accessTokens,
  oauthClients,
  oauthGrants,
  oauthStates,
  secondFactors,
  recoveryCodes,
  pendingSignIns,
  earlierTokens,
  signUps,
  addressChanges,
  passkeys,
  usedPasskeyChallenges,
  identities,
  answeredSignIns,
  todos,
  attachments,
  memos: ownRepository(memo),
  reactions,
  featureFlags,
  idempotencyKeys,
  areaDeclarations,
  marks,
  audit,
  changes,
  changesAfter,
  feed,
  runs,
  plans,
  loginFailures,
  unknownLoginFailures,
  passwordResets,
  webhookEvents,
  subscriptions,
  subscriptionPauses,
  dueSubscriptions,
  deliveries
}

type All = typeof all

// By their tables: `marks` of a declared area are no marks of ours.
const declared = Object.fromEntries(ofDeclarations.map((area) => [area.table, ownRepository(area)]))

/** All repositories, without their writes. */
export type ReadRepositories = { readonly [Name in keyof All]: ReturnType<All[Name]['reads']> }

/** All repositories, over one connection. */
export type Repositories = {
  [Name in keyof All]: ReadRepositories[Name] & ReturnType<All[Name]['writes']>
}

/** Binds every repository to one connection: the shared one, or the one of a transaction. */
export function createRepositories(connection: Connection) {
  const kinds = statements(connection)
  const record = recorder(connection)
  return Object.fromEntries(
    Object.entries({ ...all, ...declared }).map(([name, { reads, writes }]) => [
      name,
      { ...reads(kinds), ...writes(kinds, record) }
    ])
    // `Object.entries` loses the type of each name.
  ) as Repositories
}

/** What is asked of an area that is known by its description only. */
type Described = { many: string; table?: string }

/** The repository of such an area. @throws Error if there is none */
export function ownOf(repos: Repositories, { many, table = many }: Described): AnyOwn {
  const all = repos as Readonly<Record<string, object>>
  const found = all[table] ?? all[many]
  if (!found || !('insert' in found))
    throw new Error(`${many} have no repository: add it to db/repositories/index.ts`)
  return found as AnyOwn
}

/** The same, for reading. */
export const readsOf = (repos: ReadRepositories, area: Described): AnyReads =>
  ownOf(repos as Repositories, area)

/** The repository that records changes of a kind, and can undo them. */
export function undoableOf(repos: Repositories, kind: string): Undoable {
  for (const repository of Object.values(repos)) {
    if ('undo' in repository && repository.undo.kind === kind) return repository.undo
  }
  throw new Error(`no repository undoes changes of ${kind}`)
}
