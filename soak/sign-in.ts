import type { Client } from './client.ts'
import type { Reply } from './reply.ts'

interface Login {
  csrfToken: string
  user: { id: number; user_id: string; e_mail: string }
}

const wrongPassword = ['LOGIN-FAILED']

/** Signs in with one password. Returns the credentials of an acknowledged login; null if it was refused. */
async function logIn({ caller, person, report, name }: Client, user_pass: string) {
  const { user_id } = person
  for (;;) {
    const reply: Reply<Login> = await caller.send('login', {
      body: { user_id, user_pass },
      isAnonymous: true,
      fails: wrongPassword
    })
    if (reply.kind === 'refused') return null
    if (reply.kind === 'unknown') continue
    const { user, csrfToken } = reply.data
    if (user.id !== person.id || user.user_id !== user_id || user.e_mail !== person.e_mail) {
      report.problem(`${name}: was signed in as ${user.user_id} (${user.id})`)
    }
    const [cookie = ''] = reply.headers['set-cookie']?.at(-1)?.split(';') ?? []
    return { cookie, 'x-csrf-token': csrfToken }
  }
}

/** Gets a JWT; null if the password was refused. */
async function getToken({ caller, person }: Client, user_pass: string) {
  for (;;) {
    const reply: Reply<{ access_token: string }> = await caller.send('issueToken', {
      body: { user_id: person.user_id, user_pass },
      isAnonymous: true,
      fails: wrongPassword
    })
    if (reply.kind === 'refused') return null
    if (reply.kind === 'done') return { authorization: `Bearer ${reply.data.access_token}` }
  }
}

export const signIn = { session: logIn, jwt: getToken }

/** The same, for a client whose password never changes. */
export async function enter(client: Client, via: keyof typeof signIn) {
  const credentials = await signIn[via](client, client.person.password)
  if (credentials) client.caller.credentials = credentials
  else client.report.problem(`${client.name}: could not sign in`)
}
