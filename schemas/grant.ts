import { Type } from '@sinclair/typebox'
import { isAdminScope, Scope } from './access-token.ts'
import { isShared } from './area/access.ts'
import { isSharedKind, referrersOf } from './area/index.ts'
import { Created, Id, Key, orNull, ref, Timestamp } from './common.ts'
import { isLoopback } from './host.ts'
import { kinds, ownPlural } from './kinds.ts'

/** How many days a program is let in after it has last renewed its access. */
export const grantDays = 30

/** How many programs a user can have let in at once; one more ends the oldest. */
export const maxGrants = 100

/** The program `gatehouse login`, which every service knows. */
export const ownClient = 'gatehouse-cli'

/**
 * Schemes that a browser or a system handles itself. Every other one is private to an app: most have no dot, though
 * RFC 8252 §7.1 asks for one.
 */
const handled = new Set(
  [
    ...[
      'about',
      'blob',
      'cid',
      'data',
      'file',
      'filesystem',
      'jar',
      'javascript',
      'mid',
      'resource'
    ],
    ...[
      'vbscript',
      'view-source',
      'chrome',
      'chrome-extension',
      'moz-extension',
      'edge',
      'brave',
      'opera'
    ],
    ...[
      'ws',
      'wss',
      'ftp',
      'ftps',
      'sftp',
      'ssh',
      'telnet',
      'smb',
      'nfs',
      'ldap',
      'ldaps',
      'gopher',
      'rtsp'
    ],
    ...[
      'mailto',
      'tel',
      'sms',
      'callto',
      'facetime',
      'geo',
      'maps',
      'magnet',
      'news',
      'nntp',
      'irc',
      'urn'
    ],
    ...[
      'intent',
      'content',
      'android-app',
      'market',
      'itms',
      'itms-apps',
      'itms-services',
      'search-ms'
    ]
  ].map((scheme) => `${scheme}:`)
)
const isPrivateUse = (protocol: string) => !handled.has(protocol) && !protocol.startsWith('ms-')

export const redirectRule =
  'https, http on a loopback address, or a private-use scheme that neither browser nor system handles'

/** Whether a program may have the browser sent there: see `redirectRule`. */
export function isRedirect(uri: unknown) {
  const url = typeof uri === 'string' && !/[\s#]/.test(uri) ? URL.parse(uri) : null
  if (!url || url.username || url.password) return false
  // A host may have characters that mean something else in the policy of a page.
  if (!/^[\w.-]*$|^\[[\da-f:.]+\]$/.test(url.hostname)) return false
  if (url.protocol === 'http:') return isLoopback(url.hostname)
  return url.protocol === 'https:' || isPrivateUse(url.protocol)
}

const verbs: Readonly<Record<string, string>> = {
  read: 'See',
  write: 'Add, change and delete'
}
/** Whether rows that others share can have files in them. */
const isShownInRows = referrersOf('attachment').some(({ area }) => isShared(area.access))

/** A scope for people. */
export function scopeWords(scope: Scope) {
  const [area = '', verb = ''] = scope.split(':')
  const what = isAdminScope(scope)
    ? 'the accounts of all users, as an administrator'
    : `${ownPlural(area)}${isSharedKind(area) || (scope === 'attachment:read' && isShownInRows) ? ', and those that others share with you' : ''}`
  // A subscription tells what the token may read.
  const isTold = verb === 'read' && kinds.some((kind) => kind === area)
  return `${verbs[verb] ?? verb} ${what}${isTold ? ', and follow changes' : ''}`
}

export const Grant = Type.Object(
  {
    id: { ...Key, description: 'Key for the operations on grants; it is not a credential.' },
    client_name: Type.String({
      description: 'What the program calls itself.',
      examples: ['An assistant']
    }),
    host: orNull(
      Type.String({ examples: ['assistant.example'] }),
      'Where the browser was sent back to, or the scheme of an app; null for a program without a browser.'
    ),
    scopes: Type.Array(ref(Scope), {
      description: 'What it may do.',
      examples: [['todo:read', 'todo:write']]
    }),
    asks: Type.Boolean({
      description: 'Whether a person approves its changes.',
      examples: [false]
    }),
    created_at: Created,
    last_used_at: orNull(Timestamp, 'When it was last used, to the minute; null if it never was.'),
    expires_at: {
      ...Timestamp,
      description: `When it expires, unless the program renews its access: then ${grantDays} days later.`,
      examples: ['2026-12-21T09:30:00.000Z']
    }
  },
  {
    $id: 'Grant',
    description: 'A program that the user has let in.'
  }
)

export const GrantKey = Type.Object({
  id: Id({ absent: 'GRANT-NOT-FOUND' })
})
