import type { Config } from '../../../schemas/config.ts'
import type { Limit } from '../../identity/rate-limit.ts'
import type { OwnPages, SessionOptions } from '../../identity/sign-in/index.ts'

/** The page that a sign-in leads to, if no other was asked for. */
export const home = '/'

/** The options of every page. */
export type PageOptions = SessionOptions &
  OwnPages &
  Pick<
    Config,
    | 'SVC_ACTIVITY_DAYS'
    | 'SVC_CSRF_FIELD'
    | 'SVC_ENV'
    | 'SVC_LOCK_MINUTES'
    | 'SVC_LOGOUT_URI'
    | 'SVC_UPLOAD_MAX_BYTES'
    | 'SVC_UPLOAD_TYPES'
    | 'SVC_USER_MEMOS_MAX'
    | 'SVC_USER_TODOS_MAX'
  > & {
    loginLimit: Limit
  }
