// Plays the user demo in a browser without JavaScript, from the address that a program opens: signs in,
// lets the program in, without asking before each change, and goes where it wants the browser.
const fields: Record<string, string> = { user_id: 'demo', user_pass: 'demo' }
const cookies = new Map<string, string>()

async function visit(url: URL, form?: URLSearchParams): Promise<{ url: URL; text: string }> {
  const answer = await fetch(url, {
    ...(form && { method: 'POST', body: form }),
    headers: { accept: 'text/html', cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    redirect: 'manual'
  })
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^(\w+)=([^;]*)/.exec(line) ?? []
    cookies.set(name, value)
  }
  const location = answer.headers.get('location')
  if (location) return visit(new URL(location, url))
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} of ${url.pathname}: ${text}`)
  return { url, text }
}

let page = await visit(new URL(process.argv[2] ?? ''))
for (;;) {
  const [form] = /<form.*?<\/form>/s.exec(/<main.*<\/main>/s.exec(page.text)?.[0] ?? '') ?? []
  if (!form) break
  const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
  const filled = new URLSearchParams()
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const name = attribute(tag, 'name') ?? ''
    const isTicked = tag.includes(' checked') && name !== 'asks'
    const isLeft = tag.includes('type="checkbox"') && !isTicked
    if (!isLeft) filled.append(name, fields[name] ?? attribute(tag, 'value') ?? '')
  }
  const button = /<button[^>]*>/.exec(form)?.[0] ?? ''
  filled.append(attribute(button, 'name') ?? 'button', attribute(button, 'value') ?? '')
  page = await visit(new URL(attribute(form, 'action') ?? '', page.url), filled)
}
