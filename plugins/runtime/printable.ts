/** What could move the cursor, write in a colour or in another direction, or begin another line. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** In the form that JSON has too: what is JSON stays JSON. */
const unit = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
const escaped = (text: string) => text.replace(unprintable, (it) => it.split('').map(unit).join(''))

/** Text that others wrote, as a terminal may show it: in one line, at most `most` characters, controls escaped. */
export const printable = (text: string, most = 255) =>
  escaped(text.length > most ? `${text.slice(0, most - 1)}…` : text)

/** Lines of text, with nothing in them that a terminal would obey. */
export const printableLines = (text: string) => text.split('\n').map(escaped).join('\n')
