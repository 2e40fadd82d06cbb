// Shows the list again when something in it has changed, for example by a program of the user.
let { after } = document.querySelector('#todos').dataset
let source
let shown = Promise.resolve()
let isWaiting = false

async function show() {
  const response = await fetch(location.href)
  // Signed out: what is on the page stays, until its user acts.
  if (!response.ok || response.redirected) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const [old, list] = [document, page].map((one) => one.querySelector('#todos'))
  const focused = old.querySelector(':focus')
  const row = focused?.closest('li')?.id
  old.replaceWith(list)
  if (row) list.querySelector(`#${row} .${focused.className}`)?.focus()
}

// Hidden, it has no connection: browsers have only a few for each service.
function follow() {
  source?.close()
  if (document.hidden) return
  source = new EventSource(`/activity/stream?after=${after}`)
  source.addEventListener('change', ({ data, lastEventId }) => {
    after = lastEventId
    // One look shows all that came before it.
    if (isWaiting || JSON.parse(data).kind !== 'todo') return
    isWaiting = true
    shown = shown.then(() => {
      isWaiting = false
      return show().catch(() => {})
    })
  })
}
document.addEventListener('visibilitychange', follow)
follow()
