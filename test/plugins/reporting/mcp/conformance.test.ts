import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { noParts, partsFolder } from '../../../../.ci/parts/load.ts'
import { startService } from '../../../support/helper.ts'
import { slow } from '../../../support/selection.ts'

/**
 * The scenarios of servers that apply here. The others need tools and resources of the suite's own server, sessions, or
 * what this service does not declare: logging, completion, prompts, subscriptions to resources.
 */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'dns-rebinding-protection'
]

const token = 'a'.repeat(64)

t.test(
  'the official conformance suite passes',
  { skip: noParts || slow.skip || false },
  async (t) => {
    const suite = join(partsFolder, '@modelcontextprotocol/conformance/dist/index.js')
    const { app } = await startService(t, {
      SVC_AGENT_BEARER_TOKEN: token,
      SVC_AGENT_BEARER_USER: 'demo'
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    // The suite sends no credentials: this proxy adds them.
    const way = createServer((incoming, response) => {
      const { method = '', url: path = '', headers } = incoming
      const options = {
        ...{ host: '127.0.0.1', port, method, path },
        headers: { ...headers, authorization: `Bearer ${token}` }
      }
      const onward = request(options, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      incoming.pipe(onward)
    }).listen(0, '127.0.0.1')
    await once(way, 'listening')
    t.teardown(() => {
      way.close()
      way.closeAllConnections()
    })
    const url = `http://localhost:${(way.address() as AddressInfo).port}/mcp`
    for (const scenario of scenarios) {
      const child = spawn(process.execPath, [suite, 'server', '--url', url, '--scenario', scenario])
      const [out, err] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close')
      ])
      if (!t.equal(child.exitCode, 0, scenario)) t.comment(`${out}\n${err}`)
    }
  }
)
