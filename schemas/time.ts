/** RFC 3339 §5.6. */
const form =
  /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

const dayMs = 86_400_000

/** Milliseconds since the epoch of a time in RFC 3339; NaN if the text is none, or there is no such time. */
export function timeOf(text: string): number {
  const [, day, minute, second, fraction = '', offset = ''] = form.exec(text) ?? []
  const midnight = Date.parse(`${day}T00:00Z`)
  // `Date` takes 31 February for 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(`${day}T`)) return NaN
  if (second !== '60') return Date.parse(text.toUpperCase())
  // A leap second ends a day of UTC (§5.7). `Date` has none: as in POSIX, it is the first of the next day.
  const next = Date.parse(`${day}T${minute}:59${offset.toUpperCase()}`) + 1000
  return next % dayMs === 0 ? next + Math.trunc(Number(`0${fraction}`) * 1000) : NaN
}

const firstTime = Date.parse('0001-01-01T00:00:00.000Z')
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')

/** Converts a time to the form that rows have. With its offset it can lie outside the years 1 to 9999, where no row is. */
export const sinceOf = (text: string) =>
  new Date(Math.min(Math.max(timeOf(text), firstTime), lastTime)).toISOString()

/** The form of the times of a password reset: 19 characters, UTC. They compare as text. */
export const resetTime = (ms: number) => new Date(ms).toISOString().slice(0, 19)
