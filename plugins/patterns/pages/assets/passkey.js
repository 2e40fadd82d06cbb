// Signs in with a passkey, and makes passkeys. A page says at which address of the service they work (`data-origin`).
const isKnown = 'parseRequestOptionsFromJSON' in (window.PublicKeyCredential ?? {})

/** Sends JSON. What the service refuses is thrown, with its code. */
async function post(path, body, headers = {}) {
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const { Data } = await response.json()
  if (!response.ok) {
    throw Object.assign(new Error(Data.errorMessage), { name: Data.errorCode, isRefusal: true })
  }
  return Data
}

/** Says in the part of a page what is wrong; nothing if the person has only changed their mind. */
function say(part, error, words) {
  const line = part.querySelector('[role=alert]')
  line.textContent =
    error instanceof TypeError
      ? 'The service could not be reached. Please try again.'
      : error && (words[error.name] ?? error.message)
  line.hidden = !line.textContent
}

const login = document.querySelector('[data-passkey-login]')

const loginWords = {
  AbortError: '',
  NotAllowedError: 'No passkey was used. Try again, or sign in with your password.',
  'LOGIN-FAILED':
    'This passkey was not accepted: it may have been removed, or this page was open for long. Try again.',
  'ACCOUNT-LOCKED': login?.dataset.locked
}

/** The request that the browser shows or offers; there can be one at a time. */
let asking

/** Asks for a passkey: in a dialog, or, with `conditional`, among what the browser offers for the field of the name. */
async function signIn(mediation) {
  asking?.abort()
  const own = new AbortController()
  asking = own
  // A challenge is good for five minutes.
  const renew = () => asking === own && signIn(mediation)
  if (mediation === 'conditional') setTimeout(renew, 240_000)
  try {
    const { options } = await post('/session/passkeyoptions', {})
    const credential = await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
      mediation,
      signal: own.signal
    })
    await post('/session/passkey', { credential: credential.toJSON() })
    location.assign(login.dataset.next)
  } catch (error) {
    // Another request has taken its place.
    if (asking !== own) return
    asking = undefined
    if (mediation === 'conditional' && !error.isRefusal) return
    say(login, error, loginWords)
    void offer()
  }
}

async function offer() {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  if (!asking) void signIn('conditional')
}

if (login && isKnown && location.origin === login.dataset.origin) {
  const button = login.querySelector('button')
  button.addEventListener('click', () => {
    say(login, undefined)
    void signIn('optional')
  })
  button.disabled = false
  void offer()
} else if (login) {
  login.remove()
}

const makeWords = {
  NotAllowedError: 'No passkey was made.',
  InvalidStateError: 'This device has a passkey for your account already.',
  'LOGIN-FAILED': 'This is not your password.',
  'ACCOUNT-LOCKED': 'Too many wrong passwords. Sign out, and in again.',
  'SESSION-CLOSED': 'You have been signed out. Sign in again.',
  'CSRF-TOKEN-INVALID': 'You have signed in again meanwhile. Load this page again.',
  'VALIDATION-FAILED': 'Enter your password. If there is no field for it, load this page again.',
  CONFLICT: 'You have reached the maximum number of passkeys. Remove one first.'
}

/** Lets the browser make a passkey, then sends the form with it. */
async function make(form, button) {
  say(form, undefined)
  const { origin } = form.dataset
  try {
    if (location.origin !== origin) throw new Error(`Passkeys work only at ${origin}.`)
    if (!isKnown) throw new Error('This browser does not know passkeys.')
    const csrf = form.querySelector('[type=hidden]').value
    const body = { user_pass: form.elements.user_pass?.value ?? '' }
    const { options } = await post('/account/passkeyoptions', body, { 'X-CSRF-Token': csrf })
    const credential = await navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options)
    })
    form.elements.credential.value = JSON.stringify(credential.toJSON())
    form.requestSubmit(button)
  } catch (error) {
    say(form, error, makeWords)
  }
}

/** Whether the service would take the name. If not, the page says so before anything is made. */
const isNamed = ({ elements: { name } }) => /^(?=.*\S).{1,64}$/u.test(name.value)

// Before page.js, which sends forms.
document.addEventListener(
  'submit',
  (event) => {
    const { target: form, submitter } = event
    if (!('passkey' in form.dataset) || form.elements.credential.value || !isNamed(form)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    void make(form, submitter)
  },
  { capture: true }
)
