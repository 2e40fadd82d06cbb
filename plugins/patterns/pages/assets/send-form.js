// Sends a form as JSON to its `data-send` path (if that is empty, to the path of the page), and shows the answer. `data-gone`
// is what it says if the link has ended.
const form = document.querySelector('form[data-send]')
const status = form.querySelector('[role=status]')
const button = form.querySelector('button')

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  button.disabled = true
  status.className = ''
  status.textContent = 'Sending …'
  try {
    const response = await fetch(form.dataset.send || location.pathname, {
      method: 'POST',
      body: JSON.stringify(Object.fromEntries(new FormData(form)))
    })
    const { Data } = await response.json()
    const gone = /^(NOT-FOUND|TOKEN-)/.test(Data.errorCode) ? form.dataset.gone : undefined
    const problems = Data.details?.map(
      ({ field, message }) => `The ${field} ${message.replace('NOT', 'not')}.`
    )
    status.className = response.ok ? 'success' : 'problem'
    status.textContent = gone ?? problems?.join(' ') ?? Data.message ?? Data.errorMessage
    // There is nothing more to send.
    if (response.ok) form.replaceChildren(status)
  } catch {
    status.className = 'problem'
    status.textContent = 'The service could not be reached. Please try again.'
  }
  button.disabled = false
})
// The page has the form disabled: without this script, a browser would put the typed text into the URL.
button.disabled = false
