import t from 'tap'
import { marked } from '../../../plugins/patterns/pages/marked.ts'

/** Marks in brackets, white space that is drawn in angle brackets. */
const told = (text: string, ends?: Parameters<typeof marked>[1]) =>
  marked(text, ends)
    .replaceAll(/<bdi [^>]*>(.*?)<\/bdi>/g, '[$1]')
    .replaceAll(/<span [^>]*>(.*?)<\/span>/g, '{$1}')

t.test('a character that nobody sees is a mark', async (t) => {
  const cases: [text: string, shown: string][] = [
    ['a\u200bb', 'a[U+200B]b'],
    ['a\u200b\u200bb', 'a[U+200B ×2]b'],
    ['\u202efdp.exe', '[U+202E]fdp.exe'],
    ['a\u200eb\u2066c\u2069\u061c', 'a[U+200E]b[U+2066]c[U+2069][U+061C]'],
    ['soft\u00adhyphen', 'soft[U+00AD]hyphen'],
    ['\u0007\r\u0000', '[U+0007][U+000D][U+0000]'],
    ['a\u{e0041}', 'a[U+E0041]'],
    ['a\u00a0b\u3000c\u2028d', 'a[U+00A0]b[U+3000]c[U+2028]d'],
    ['\ufeff\u2060\u3164\u2800', '[U+FEFF][U+2060][U+3164][U+2800]'],
    ['a\ufe0f', 'a[U+FE0F]'],
    ['a\u200cb\u200d', 'a[U+200C]b[U+200D]'],
    ['\ud800', '[U+D800]']
  ]
  for (const [text, shown] of cases) t.equal(told(text), shown, encodeURI(text.toWellFormed()))
})

t.test('what joins an emoji, or letters of a script that needs it, stays as it is', async (t) => {
  for (const text of [
    '\u{1f469}\u200d\u{1f469}\u200d\u{1f467} \u2764\ufe0f 1\ufe0f\u20e3 \u{1f44d}\u{1f3fd}',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'می\u200cخواهم',
    'क्\u200dष क्\u200cष',
    'e\u0301 שָׁלוֹם \u0600'
  ])
    t.equal(told(text), text)
  t.equal(told('\u2764\u200d\u{1f527}'), '\u2764[U+200D]\u{1f527}', 'these two do not join')
  t.equal(told('می\u200c\u200cخواهم'), 'می[U+200C ×2]خواهم')
})

t.test('white space that a browser does not draw is drawn', async (t) => {
  const cases: [text: string, shown: string][] = [
    ['a b', 'a b'],
    [' a  b ', '{·}a{··}b{·}'],
    ['a \n b\tc', 'a{·}{↵}\n{·}b{→}c'],
    ['a\n\n', 'a{↵}\n{↵}\n'],
    ['a\r\nb', 'a[U+000D]{↵}\nb']
  ]
  for (const [text, shown] of cases) t.equal(told(text), shown, JSON.stringify(text))
  t.equal(told(' a ', { isStart: false }), ' a{·}', 'a piece of a text')
  t.equal(told(' a ', { isEnd: false }), '{·}a ')
  t.match(marked(''), />empty</)
})

t.test('a text is no HTML', async (t) => {
  t.equal(marked(`<b title="x">'&`), '&lt;b title=&quot;x&quot;&gt;&#39;&amp;')
})
