import { once } from 'node:events'
import { createServer } from 'node:http'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError
} from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { listen, noBrowser, openWindow } from '../../support/browser.ts'

/** Listens where a program on this machine gets the browser back. */
async function callback(t: Test) {
  const referers: (string | undefined)[] = []
  const server = createServer(({ url, headers }, response) => {
    // Browsers also ask for an icon.
    if (url?.startsWith('/callback')) referers.push(headers.referer)
    response.end('You can go back.')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as { port: number }
  return { redirectUrl: `http://127.0.0.1:${port}/callback`, referers }
}

/** What the official client needs of a host: it keeps what it is told. */
function host(redirectUrl: string, clientMetadataUrl?: string) {
  const kept: { client?: unknown; tokens?: unknown; verifier: string; wanted?: URL } = {
    verifier: ''
  }
  const provider = {
    redirectUrl,
    ...(clientMetadataUrl && { clientMetadataUrl }),
    clientMetadata: { client_name: 'An assistant', redirect_uris: [redirectUrl] },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => {
      kept.tokens = tokens
    },
    redirectToAuthorization: (url: URL) => {
      kept.wanted = url
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier
  } as OAuthClientProvider
  return { provider, kept }
}

/** Plays the person, from the page that the program opens to the one that it gets the browser back with. */
async function letIn(page: Page, wanted: URL, redirectUrl: string, untick: string[] = []) {
  const all = ['Ask me before it changes anything', ...untick]
  await page.goto(wanted.href)
  if (await page.getByRole('heading', { name: 'Sign in' }).isVisible()) {
    await page.getByLabel('User ID').fill('demo')
    await page.getByLabel('Password').fill('demo')
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await page.getByRole('heading', { name: 'Let An assistant in?' }).waitFor()
  for (const box of all) await page.getByLabel(box).uncheck()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${redirectUrl}?*`)
  return new URL(page.url()).searchParams
}

const documentUrl = 'https://assistant.example/client.json'

t.test('from the address alone to a tool, and out again', { skip: noBrowser }, async (t) => {
  const { app, address, log } = await listen(t)
  const { redirectUrl, referers } = await callback(t)
  app.fetchClient = async () =>
    Response.json({
      client_id: documentUrl,
      client_name: 'An assistant',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none'
    })

  for (const [way, javaScriptEnabled, clientMetadataUrl] of [
    ['registration', true, undefined],
    ['registration, without JavaScript', false, undefined],
    ['a document of its own', false, documentUrl]
  ] as const) {
    t.test(way, async (t) => {
      const { page, complaints } = await openWindow(t, {
        baseURL: address,
        javaScriptEnabled
      })
      const { provider, kept } = host(redirectUrl, clientMetadataUrl)
      const url = new URL(`${address}/mcp`)
      const connect = async () => {
        const client = new Client({ name: 'test', version: '1' })
        const transport = new StreamableHTTPClientTransport(url, { authProvider: provider })
        return { client, transport, connecting: client.connect(transport) }
      }
      const first = await connect()
      await t.rejects(first.connecting, UnauthorizedError)
      if (!kept.wanted) throw new Error('the client leads nowhere')
      if (clientMetadataUrl) t.match(kept.client, { client_id: clientMetadataUrl })
      const answer = await letIn(page, kept.wanted, redirectUrl, ['todo:write', 'memo:write'])
      await first.transport.finishAuth(answer)

      const { client, transport, connecting } = await connect()
      await connecting
      t.teardown(() => client.close())
      const { tools } = await client.listTools()
      t.ok(tools.some(({ name }) => name === 'list_todos'))
      t.notOk(tools.some(({ name }) => name === 'create_todos'))
      const listed = await client.callTool({ name: 'list_todos', arguments: {} })
      t.notOk(listed.isError)

      // More than it may do: the client asks again, for that too.
      const title = 'made by an assistant'
      const more = client.callTool({ name: 'create_todos', arguments: { items: [{ title }] } })
      await t.rejects(more, UnauthorizedError)
      t.match(kept.wanted.searchParams.get('scope'), /todo:read.*todo:write|todo:write.*todo:read/)
      await transport.finishAuth(await letIn(page, kept.wanted, redirectUrl))
      const made = await client.callTool({
        name: 'create_todos',
        arguments: { items: [{ title }] }
      })
      t.notOk(made.isError)

      await page.goto('/account/programs')
      const programs = page.getByRole('main')
      t.equal(await programs.getByText('An assistant', { exact: true }).count(), 1)
      await programs.getByRole('button', { name: 'End: An assistant' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'End its access' }).click()
      await programs.getByText('No program has access yet.').waitFor()
      await t.rejects(client.callTool({ name: 'list_todos', arguments: {} }))
      t.same(complaints, [])
      t.same(new Set(referers), new Set([undefined]), 'no page says where the browser was')
      const secrets = [kept.verifier, answer.get('code') ?? 'none']
      t.notOk(secrets.some((secret) => log.join('').includes(secret)))
    })
  }
})
