// Keys that save a way: `?` shows them. A single character is one only outside of fields and without Ctrl, Alt or Meta, and all
// can be switched off, so that nobody who dictates or cannot press exactly sets one off (WCAG 2.1.4).
const memory = 'keys'
const isOn = () => localStorage.getItem(memory) !== 'off'

/** The first control of a form that somebody fills in. */
const fieldOf = (form) =>
  form?.querySelector('input:not([type=hidden]), textarea, select') ?? undefined

/** What a key leads to on this page, and what that is for; without it, the key does nothing. */
const places = {
  n: { text: 'Add something here', find: () => fieldOf(document.querySelector('[data-add]')) },
  '/': { text: 'Search here', find: () => fieldOf(document.querySelector('[role=search]')) },
  u: {
    text: 'Go to Undo, after a change',
    find: () => document.querySelector('.told button[value=undo]')
  }
}

/** The pages by the letter after `g`: the first of each name that is free, those of kinds last. */
function pages() {
  const all = [...document.querySelectorAll('.brand, body > header nav a')]
  const isKind = ({ dataset }) => 'kind' in dataset
  const found = new Map()
  for (const link of all.toSorted((one, other) => isKind(one) - isKind(other))) {
    const text = link.matches('.brand') ? 'Home' : link.firstChild.data.trim()
    const letter = [...text.toLowerCase()].find((one) => /[a-z]/.test(one) && !found.has(one))
    if (letter) found.set(letter, { text, link })
  }
  return found
}

function go(place) {
  const details = place.closest('details')
  if (details) details.open = true
  place.focus()
}

function row(keys, text) {
  const name = document.createElement('dt')
  for (const key of keys) {
    const cap = document.createElement('kbd')
    cap.textContent = key
    name.append(cap, ' ')
  }
  const what = document.createElement('dd')
  what.textContent = text
  const both = document.createElement('div')
  both.className = 'shortcut'
  both.append(name, what)
  return both
}

function help() {
  const dialog = document.createElement('dialog')
  dialog.id = 'keys'
  dialog.setAttribute('aria-labelledby', 'keys-title')
  dialog.innerHTML =
    '<h2 id="keys-title">Keyboard shortcuts</h2><dl></dl><label class="tick"><input type="checkbox" /> Shortcuts are on</label><p class="buttons"><button class="plain" type="button" data-close autofocus>Close</button></p>'
  const tick = dialog.querySelector('input')
  tick.checked = isOn()
  tick.addEventListener('change', () => localStorage.setItem(memory, tick.checked ? 'on' : 'off'))
  dialog
    .querySelector('dl')
    .append(
      ...Object.entries(places).flatMap(([key, { text, find }]) =>
        key === 'u' || find() ? [row([key], text)] : []
      ),
      ...[...pages()].map(([letter, { text }]) => row(['g', letter], text)),
      row(['?'], 'Show this')
    )
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

/** Until when a letter names a page, because `g` came before it. */
let until = 0
const goMs = 2000

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, altKey, metaKey, isComposing, repeat } = event
  if (ctrlKey || altKey || metaKey || isComposing || repeat || key === 'Shift') return
  if (target.closest?.('input, textarea, select') || document.querySelector('dialog:modal')) return
  if (!isOn()) return
  const isAfterG = event.timeStamp < until
  until = 0
  if (isAfterG && pages().has(key)) {
    event.preventDefault()
    pages().get(key).link.click()
  } else if (key === 'g') until = event.timeStamp + goMs
  else if (key === '?') {
    event.preventDefault()
    help()
  } else if (Object.hasOwn(places, key)) {
    const place = places[key].find()
    if (!place) return
    // Else the key would be typed there.
    event.preventDefault()
    go(place)
  }
})

document.addEventListener('click', ({ target }) => {
  if (target.closest('[data-keys]')) help()
})
