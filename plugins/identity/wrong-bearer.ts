import type { FastifyInstance } from 'fastify'
import { accessTokenProblem, isAccessToken } from './access-token.ts'

/** What stands where a program has put no token: `null`, `YOUR_TOKEN`, `$TOKEN`, `<token>`, `{{token}}`. */
const placeholder =
  /^(null|undefined|none|\[object \w+\]|\.+|x+|\$.*|%.*%|<.*>|\{.*\}|(your|my|the)?[ _-]*(access|agent|api|auth|bearer)?[ _-]*(token|key)[ _-]*(here)?)$/i
/** Longer than these none is, and a search in such a text would take time. */
const longestPlaceholder = 40

const isJwt = (credential: string) => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(credential)

/** The kinds of credential that could be meant, besides sessions. */
interface Taken {
  /** Whether the operation takes access tokens. */
  token: boolean
  /** Whether it takes the others, as far as there are any here. */
  agent: boolean
  jwt: boolean
}

/**
 * What kind of Bearer credential it looks like, what is wrong with it and where a right one comes from, for who sent it.
 * Never with the credential itself. Only who holds a right one that has ended is told so.
 */
export async function wrongBearer(app: FastifyInstance, credential: string, taken: Taken) {
  const from = [
    taken.token && `your user makes an access token at ${app.baseUrl}/account/index`,
    taken.jwt && '`POST /token/issue` issues a JWT',
    taken.agent && 'the operator has the agent token'
  ].filter(Boolean)
  return `${await problemOf(app, credential, taken)}. To get a right one: ${from.join('; ')}.`
}

async function problemOf(app: FastifyInstance, credential: string, taken: Taken) {
  if (credential === '') return 'No token follows `Bearer`'
  if (credential.length <= longestPlaceholder && placeholder.test(credential)) {
    return 'This is a placeholder: the program that sent it has put no token in its place'
  }
  if (isAccessToken(credential)) {
    const what = taken.token ? await accessTokenProblem(app, credential) : 'is not taken here'
    return `This looks like an access token (gth_...), which ${what}`
  }
  if (isJwt(credential)) {
    const what = taken.jwt && app.jwt ? await app.jwt.problemOf(credential) : 'is not taken here'
    return `This looks like a JWT, which ${what}`
  }
  const agent = taken.agent ? ', and not the agent token' : '; an agent token is not taken here'
  return `This is neither an access token (gth_...) nor a JWT${agent}`
}
