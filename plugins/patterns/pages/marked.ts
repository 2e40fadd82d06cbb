/**
 * What is drawn, though characters of it alone are not: an emoji that Unicode recommends, whole; a joiner or its opposite
 * between two letters of a script whose writers need it.
 */
const needy =
  '[[\\p{L}\\p{M}]&&[\\p{scx=Arab}\\p{scx=Beng}\\p{scx=Deva}\\p{scx=Gujr}\\p{scx=Guru}\\p{scx=Khmr}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Mong}\\p{scx=Mymr}\\p{scx=Orya}\\p{scx=Sinh}\\p{scx=Syrc}\\p{scx=Taml}\\p{scx=Telu}]]'
const drawn = `\\p{RGI_Emoji}|(?<=${needy})[\\u200C\\u200D](?=${needy})`

/** White space that browsers do not draw: ends of lines, tabs, spaces at the end of a line or beside others. */
const blank = '(?<=^|[\\n\\t]) +| +(?=$|[\\n\\t])| {2,}|\\t+|\\n'

/** What is drawn as nothing, or as a space that is none. Of the format characters, the signs over numbers are drawn. */
const unseen =
  '[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{DI}\\p{Noncharacter_Code_Point}\\u2800\\uFFFC[\\p{Zs}--[ ]][\\p{Cf}--[\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}]]]'

const parts = new RegExp(
  `(?<drawn>${drawn})|(?<blank>${blank})|(?<unseen>${unseen})\\k<unseen>*|[&<>"']`,
  'gv'
)

const entities: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;' },
  ...{ '"': '&quot;', "'": '&#39;' }
}

function blankOf(text: string) {
  if (text === '\n') return '<span class="blank" title="end of a line">↵</span>\n'
  const [sign, name] = text.startsWith('\t') ? ['→', 'tab'] : ['·', 'space']
  const { length } = text
  const title = length === 1 ? name : `${length} ${name}s`
  return `<span class="blank" title="${title}">${sign.repeat(length)}</span>`
}

function unseenOf(character: string, count: number) {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const times = count > 1 ? ` ×${count}` : ''
  return `<bdi class="unseen" title="a character that nobody sees">U+${code}${times}</bdi>`
}

/**
 * A text that somebody decides by, as HTML: two texts that differ never look the same, so what nobody would see is a mark.
 * Of a piece of a text, `isStart` and `isEnd` say whether it is at its ends.
 */
export function marked(text: string, { isStart = true, isEnd = true } = {}): string {
  if (text === '') return '<bdi class="unseen">empty</bdi>'
  // Spaces beside another character are drawn.
  const whole = `${isStart ? '' : '.'}${text}${isEnd ? '' : '.'}`
  return whole
    .replace(parts, (found: string, drawn?: string, blank?: string, unseen?: string) => {
      if (drawn !== undefined) return drawn
      if (blank !== undefined) return blankOf(blank)
      if (unseen !== undefined) return unseenOf(unseen, found.length / unseen.length)
      return entities[found] ?? found
    })
    .slice(isStart ? 0 : 1, isEnd ? undefined : -1)
}
