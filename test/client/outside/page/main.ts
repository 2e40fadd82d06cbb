import { createClient } from 'gatehouse-client'
import { work, workAgain } from './program'

// The address of the service is after the `#`. A reloaded page has only its cookie.
const baseUrl = location.hash.slice(1)
const isFollowing = location.search === '?follow'
const isAgain = sessionStorage.getItem('worked') === 'yes'
sessionStorage.setItem('worked', 'yes')

const said = document.querySelector('#said')
async function follow() {
  const api = createClient({ baseUrl })
  await api.POST('/session/login', { body: { user_id: 'demo', user_pass: 'demo' } })
  const { data } = await api.GET('/activity/index', { params: { query: { limit: 1 } } })
  document.title = 'following'
  for await (const { id, after } of api.changes({ after: data.changes[0]?.id ?? 0 })) {
    said?.append(`${id} ${after && 'title' in after ? after.title : ''}\n`)
  }
}

try {
  if (isFollowing) await follow()
  const lines = await (isAgain ? workAgain({ baseUrl }) : work({ baseUrl }))
  if (said) said.textContent = lines.join('\n')
} catch (error) {
  if (said) said.textContent = `failed: ${error}`
}
document.title = isAgain ? 'worked again' : 'worked'
