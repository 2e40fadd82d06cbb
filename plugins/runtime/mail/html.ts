const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}
const escaped = (text: string) => text.replace(/[&<>"']/g, (it) => escapes[it] ?? it)

/** A line that is nothing but an address; a name or a sentence never is. */
const link = /^https?:\/\/\S+$/i

/*
 * No colours but those of the button, which come in pairs: a client that makes mails dark by itself then has nothing
 * to get wrong. Not `light-dark()`: clients drop a whole style that they do not understand.
 */
const style = `:root { color-scheme: light dark; supported-color-schemes: light dark }
body { max-width: 40em; margin: 0 auto; padding: 1em; font: 1em/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
.open { display: inline-block; margin-bottom: 0.6em; padding: 0.6em 1.2em; border-radius: 0.5em; background: #2f5d50; color: #fff; font-weight: 600; text-decoration: none }
@media (prefers-color-scheme: dark) { .open { background: #8fc7b4; color: #10211b } }`

/**
 * The text of a mail as HTML: an empty line ends a paragraph, and a line that is only an address is a link. The first
 * of these is what the mail is about: a button, with the address below it to read and to copy. Nothing else in a text
 * has a meaning, and nothing is loaded from anywhere.
 */
export function htmlOf({ subject, text }: { subject: string; text: string }) {
  let hasButton = false
  function shown(line: string) {
    const safe = escaped(line)
    if (!link.test(line)) return safe
    if (hasButton) return `<a href="${safe}">${safe}</a>`
    hasButton = true
    // An administrator may write what only looks like a URL.
    const place = escaped(URL.parse(line)?.host ?? 'the link')
    return `<a class="open" href="${safe}">Open ${place}</a><br>\n${safe}`
  }
  const paragraphs = text.trim().split(/(?:\r?\n[ \t]*){2,}/)
  const blocks = paragraphs.map(
    (paragraph) => `<p dir="auto">${paragraph.split(/\r?\n/).map(shown).join('<br>\n')}</p>`
  )
  // Without `lang`: an administrator may write in any language.
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>
${style}
</style>
</head>
<body>
${blocks.join('\n')}
</body>
</html>
`
}
