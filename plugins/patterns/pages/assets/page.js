// Makes pages that work without it feel like one application: forms are sent and pages drawn again in place, so that nothing
// that a person reads, types or points at moves. Idiomorph changes what differs between two pages.
const morph = window.Idiomorph.morph
const root = document.documentElement
root.classList.add('js')

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Prepares a page that was just drawn by the server: times in the zone and language of the reader. */
function prepare(page) {
  for (const time of page.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime)
    if (Number.isNaN(at.getTime())) continue
    time.title = `${time.dateTime.slice(0, 19).replace('T', ' ')} UTC`
    time.textContent = dates.format(at)
  }
  for (const node of page.querySelectorAll('[data-copy], [data-fills], [data-keys]'))
    node.hidden = false
  for (const node of page.querySelectorAll('[data-plain]')) node.hidden = true
  return page
}

/** Whether somebody has changed this field since it was drawn. */
const isChanged = (field) =>
  field.type === 'checkbox' || field.type === 'radio'
    ? field.checked !== field.defaultChecked
    : field.localName === 'select'
      ? [...field.options].some((one) => one.selected !== one.defaultSelected)
      : field.type === 'file'
        ? field.files.length > 0
        : field.value !== field.defaultValue

const fieldNames = ['input', 'textarea', 'select']

/** Makes this page like another. Fields that somebody has changed stay as they are, but those of the form that was sent. */
function become(page, sent) {
  const keeps = (node) =>
    fieldNames.includes(node.localName) &&
    node.type !== 'hidden' &&
    node.form !== sent &&
    isChanged(node)
  const place = placeOf(document.activeElement)
  const { scrollX, scrollY } = window
  document.title = page.title
  morph(document.body, page.body, {
    callbacks: {
      beforeAttributeUpdated: (name, node) =>
        // A link to a picture that is signed again leads to the same one.
        !(name === 'src' && node.localName === 'img') &&
        // What is open stays open.
        !(name === 'open' && node.localName === 'details') &&
        !(['value', 'checked', 'selected'].includes(name) && keeps(node.closest('select') ?? node)),
      beforeNodeMorphed: (node, other) =>
        !(node.localName === 'textarea' && keeps(node)) &&
        // Looking again does not take away what was said, nor a question.
        !(sent === undefined && node.id === 'told' && !other.querySelector('.told')),
      beforeNodeRemoved: (node) =>
        node.id !== 'keys' && !(sent === undefined && node.id === 'question')
    }
  })
  window.scrollTo(scrollX, scrollY)
  const question = document.querySelector('dialog[open]:not(:modal)')
  if (question) {
    question.close()
    question.showModal()
  }
  place?.()
}

/** Remembers where the focus is, so that it can go to what stands there afterwards. */
function placeOf(focused) {
  if (!focused || focused === document.body) return undefined
  const row = focused.closest('li, tr')
  const list = row?.parentElement
  const at = row && [...list.children].indexOf(row)
  const { id, name, value, className } = focused
  return () => {
    if (document.activeElement !== document.body) return
    const same = id && document.getElementById(id)
    const others = list?.isConnected ? list.children : []
    const next = others[Math.min(at ?? 0, others.length - 1)]
    const like = next?.querySelector(
      name ? `[name="${name}"][value="${CSS.escape(value)}"]` : `.${className || 'none'}`
    )
    const target =
      same ||
      like ||
      next?.querySelector('button, input:not([type=hidden]), a') ||
      document.querySelector('main form input:not([type=hidden]), main button, main a')
    target?.focus({ preventScroll: true })
  }
}

/** Says something where the page says what was done. */
function tell(text) {
  const line = document.createElement('p')
  line.textContent = text
  const box = document.createElement('div')
  box.className = 'told problem'
  box.append(line)
  document.querySelector('#told [role=status]')?.replaceChildren()
  document.querySelector('#told [role=alert]')?.replaceChildren(box)
}

const read = async (response) =>
  prepare(new DOMParser().parseFromString(await response.text(), 'text/html'))

/** The address of a page without what was done. */
function addressOf(url) {
  const address = new URL(url)
  for (const name of ['done', 'undo', 'undo_plan', 'undo_run', 'undone', 'kept']) {
    address.searchParams.delete(name)
  }
  return address
}

/** Shows what stands in the way. What was typed stays below it. */
function show(...content) {
  const dialog = document.createElement('dialog')
  dialog.id = 'question'
  const buttons = document.createElement('p')
  buttons.className = 'buttons'
  buttons.innerHTML = '<button class="plain" type="button" data-close>Close</button>'
  dialog.append(...content, buttons)
  document.querySelector('main').append(dialog)
  dialog.showModal()
  return buttons
}

/** Signed out meanwhile: there is a way to sign in that does not leave this page. */
function askToSignIn(url) {
  if (url.origin !== location.origin) return location.assign(url)
  const [title, text] = [document.createElement('h2'), document.createElement('p')]
  title.textContent = 'You have been signed out'
  text.textContent = 'What you typed stays here. Sign in again, then send it once more.'
  const link = document.createElement('a')
  Object.assign(link, { href: '/login/index', target: '_blank', className: 'button' })
  link.textContent = 'Sign in'
  show(title, text).prepend(link)
  // The new session has another token.
  window.addEventListener('focus', look, { once: true })
}

let isSending = false

async function send(form, button) {
  if (isSending) return
  isSending = true
  root.toggleAttribute('aria-busy', true)
  const fields = new FormData(form, button)
  const address = new URL(form.getAttribute('action') ?? '', location.href)
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { accept: 'text/html' },
      body:
        form.enctype === 'multipart/form-data'
          ? fields
          : new URLSearchParams([...fields].filter(([, value]) => typeof value === 'string'))
    })
    const { url, ok, status, headers } = response
    const login = status === 401 && headers.get('location')
    if (login) return askToSignIn(new URL(login, url))
    const page = await read(response)
    if (ok && (!page.querySelector('#told') || new URL(url).pathname !== location.pathname)) {
      return location.assign(addressOf(url))
    }
    form.closest('dialog')?.close()
    const edited = ok && form.closest('details.edit')
    if (edited) {
      edited.open = false
      edited.querySelector('summary').focus({ preventScroll: true })
    }
    if (!page.querySelector('#told')) {
      show(...page.querySelector('main').children)
      return look()
    }
    become(page, form)
    history.replaceState(null, '', addressOf(url))
    // A secret that is shown once must be seen.
    document.querySelector('.once')?.scrollIntoView({ block: 'nearest' })
    if (ok) renew(form)
    else document.querySelector('[aria-invalid]')?.focus()
  } catch {
    tell('The service could not be reached. Please try again.')
  } finally {
    isSending = false
    root.toggleAttribute('aria-busy', false)
  }
}

/** After something was added, the form is ready for the next. */
function renew(form) {
  if (!form.isConnected || !('renew' in form.dataset)) return
  form.reset()
  form.querySelector('input:not([type=hidden]), textarea')?.focus({ preventScroll: true })
}

const mega = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** What is wrong with a file that was refused, by the code of the failure. */
const refusals = {
  'UPLOAD-FILE-REQUIRED': () => 'is empty.',
  'UPLOAD-TOO-LARGE': ({ maximum }) =>
    `is too large. It may have at most ${mega.format(maximum / 1e6)} MB.`,
  'UPLOAD-MIME-REJECTED': ({ allowed }) =>
    `is of a type that is not accepted. Accepted: ${allowed.map(typeOf).join(', ')}.`,
  CONFLICT: () => 'does not fit: there is no room for more. Delete a file first.'
}
const typeOf = (type) =>
  type === 'text/plain' ? 'plain text' : type.replace(/^.*\/|\+.*$/g, '').toUpperCase()

/** Sends a file to the files of the user: the attachment, or why it was refused. `onProgress` gets the part that is sent. */
function sendFile(file, form, onProgress) {
  const { promise, resolve } = Promise.withResolvers()
  const request = new XMLHttpRequest()
  const body = new FormData()
  body.append('file', file)
  const fail = (problem) => resolve({ problem })
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
  request.addEventListener('load', () => {
    try {
      const { attachment, ...failure } = JSON.parse(request.responseText).Data
      if (attachment) return resolve({ attachment })
      const why = refusals[failure.errorCode]?.(failure)
      fail(`${file.name} ${why ?? 'could not be uploaded. Please try again later.'}`)
    } catch {
      fail('The file could not be uploaded.')
    }
  })
  request.addEventListener('error', () =>
    fail('The service could not be reached. Please try again.')
  )
  request.open('POST', '/attachment/index')
  request.setRequestHeader('X-CSRF-Token', form.querySelector('[type=hidden]').value)
  request.send(body)
  return promise
}

/** Uploads the file of a form, and shows how far that is. */
async function upload(form) {
  const [file] = form.querySelector('[type=file]').files
  const progress = form.querySelector('progress')
  progress.hidden = false
  const { problem } = await sendFile(file, form, (part) => {
    progress.value = part
  })
  progress.hidden = true
  if (problem) return tell(problem)
  form.reset()
  look()
}

/** Uploads a file that is chosen beside a field, which then names it as its choices do. */
async function fill(target) {
  const [file] = target.files
  const field = document.getElementById(target.dataset.fills)
  field.toggleAttribute('aria-busy', true)
  const { attachment, problem } = await sendFile(file, target.form, () => {})
  field.toggleAttribute('aria-busy', false)
  target.value = ''
  if (problem) return tell(problem)
  field.value = `${attachment.name} · ${attachment.id}`
}

document.addEventListener('change', ({ target }) => {
  if (target.dataset.fills && target.files.length > 0) void fill(target)
})

document.addEventListener('dragover', (event) => {
  if (event.target.closest('[data-upload]')) event.preventDefault()
})
document.addEventListener('drop', (event) => {
  const form = event.target.closest('[data-upload]')
  if (!form || event.dataTransfer.files.length === 0) return
  event.preventDefault()
  form.querySelector('[type=file]').files = event.dataTransfer.files
  void upload(form)
})

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event
  if ('upload' in form.dataset) {
    event.preventDefault()
    void upload(form)
    return
  }
  // Others lead to another page.
  if (form.method !== 'post' || !document.querySelector('#told')) return
  event.preventDefault()
  void send(form, submitter)
})

document.addEventListener('click', ({ target }) => {
  const close = target.closest('[data-close]')
  if (close) {
    const dialog = close.closest('dialog')
    dialog.close()
    dialog.remove()
  }
  const copy = target.closest('[data-copy]')
  if (copy) {
    navigator.clipboard
      .writeText(document.getElementById(copy.dataset.copy).textContent.trim())
      .then(
        () => {
          copy.textContent = 'Copied'
        },
        () => getSelection().selectAllChildren(document.getElementById(copy.dataset.copy))
      )
  }
})
document.addEventListener('click', (event) => {
  // Cancel is a link for those without this script.
  if (event.target.closest('dialog a[data-close]')) event.preventDefault()
})

/** What stands on the page, in words. */
const textOf = () =>
  [...document.querySelectorAll('body > header, main')].map((part) => part.textContent).join()

let telling

/** Tells those who do not see it that the page has changed by itself: once for all that changes within a second. */
function tellOfChange() {
  if (telling) return
  telling = setTimeout(() => {
    telling = undefined
    const line = document.querySelector('#live')
    if (line) line.textContent = 'This page has been updated.'
  }, 1000)
}

let looking = Promise.resolve()

/** Draws the page again as it is now. */
function look() {
  looking = looking.then(async () => {
    const asked = location.href
    const response = await fetch(asked, { headers: { accept: 'text/html' } })
    // Signed out: what is on the page stays, until its user acts.
    if (!response.ok || response.redirected) return
    const page = await read(response)
    // A form was sent meanwhile, and has led elsewhere.
    if (location.href !== asked) return look()
    document.querySelector('#question:not([open])')?.remove()
    const before = textOf()
    become(page)
    if (!isSending && textOf() !== before) tellOfChange()
  })
  looking = looking.catch(() => {})
}

// Looks again when something has changed of the kinds that the page shows (`data-live`), for example by a program of the user.
let source
let after
let isWaiting = false
// Milliseconds until the next try after a refusal.
const firstPause = 1000
let pause = firstPause
let retry

// Hidden, it has no connection: browsers have only a few for each service.
function follow() {
  source?.close()
  clearTimeout(retry)
  const live = [...document.querySelectorAll('[data-live]')]
  if (document.hidden || live.length === 0) return
  after ??= live.find(({ dataset }) => dataset.after)?.dataset.after
  const kinds = live.flatMap(({ dataset }) => dataset.live.split(' '))
  source = new EventSource(`/activity/stream${after ? `?after=${after}` : ''}`)
  const changed = () => {
    // One look shows all that came before it.
    if (isWaiting) return
    isWaiting = true
    looking = looking.then(() => {
      isWaiting = false
    })
    look()
  }
  source.addEventListener('change', ({ data, lastEventId }) => {
    after = lastEventId
    if (kinds.includes(JSON.parse(data).kind)) changed()
  })
  source.addEventListener('plan', () => changed())
  source.addEventListener('open', () => {
    pause = firstPause
  })
  source.addEventListener('error', ({ target }) => {
    // A browser connects again by itself, but gives up at any other answer, such as 502 while the service restarts.
    if (target.readyState !== EventSource.CLOSED) return
    retry = setTimeout(() => {
      // What was missed may be forgotten: the page as it is now says where to go on.
      after = undefined
      look()
      looking.then(follow)
    }, pause)
    pause = Math.min(pause * 2, 60_000)
  })
}
prepare(document)
history.replaceState(null, '', addressOf(location.href))
const question = document.querySelector('dialog[open]')
if (question) {
  question.close()
  question.showModal()
}
document.querySelector('[aria-invalid]')?.focus()
document.addEventListener('visibilitychange', follow)
follow()
