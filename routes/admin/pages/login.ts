import { Type } from '@sinclair/typebox'

/** A login name that somebody types. There may be no such user. */
export const Login = Type.String({ maxLength: 255, pattern: '^[^\\u0000]*$' })
