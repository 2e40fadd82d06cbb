import type { Config } from '../../../schemas/config.ts'
import type { Limit } from '../../identity/rate-limit.ts'
import type { OwnPages, SessionOptions } from '../../identity/sign-in/index.ts'

/** The options of every page. */
export type PageOptions = SessionOptions &
  OwnPages &
  Pick<Config, 'SVC_CSRF_FIELD' | 'SVC_ENV' | 'SVC_USER_TODOS_MAX'> & {
    loginLimit: Limit
  }
