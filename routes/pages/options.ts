import type { Limit } from '../../plugins/identity/rate-limit.ts'
import type { OwnPages, SessionOptions } from '../../plugins/identity/sign-in.ts'
import type { Config } from '../../schemas/config.ts'

/** The options of every page. */
export type PageOptions = SessionOptions &
  OwnPages &
  Pick<Config, 'SVC_CSRF_FIELD' | 'SVC_ENV' | 'SVC_USER_TODOS_MAX'> & {
    loginLimit: Limit
  }
