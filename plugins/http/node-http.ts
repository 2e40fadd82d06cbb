import type * as http from 'node:http'

/**
 * What is used of node:http. With `import`, Node.js would load all that the module exports at its first use, among it
 * undici: 45 ms of CPU and 16 MB of each process.
 */
export const { createServer, IncomingMessage, METHODS, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http')

export type IncomingMessage = http.IncomingMessage
