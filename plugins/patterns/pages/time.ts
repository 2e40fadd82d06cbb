/** A time for people without the script, which shows it in their own zone. */
export const time = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`

/** The same of a time that somebody has chosen: with seconds, if it has some. */
export function exactTime(at: string) {
  const seconds = at.slice(16, -1).replace(/\.000$/, '')
  return `${at.slice(0, 10)} ${at.slice(11, 16)}${seconds === ':00' ? '' : seconds} UTC`
}
