import { work, workAgain } from './program'

// The address of the service is after the `#`. A reloaded page has only its cookie.
const baseUrl = location.hash.slice(1)
const isAgain = sessionStorage.getItem('worked') === 'yes'
sessionStorage.setItem('worked', 'yes')

const said = document.querySelector('#said')
try {
  const lines = await (isAgain ? workAgain({ baseUrl }) : work({ baseUrl }))
  if (said) said.textContent = lines.join('\n')
} catch (error) {
  if (said) said.textContent = `failed: ${error}`
}
document.title = isAgain ? 'worked again' : 'worked'
