/** A time for people without the script, which shows it in their own zone. */
export const time = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
