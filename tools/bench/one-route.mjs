/** What a start is compared with (start.ts): Fastify with one route. Run as `one-route.mjs PORT`. */
import Fastify from 'fastify'

const app = Fastify()
app.get('/health/index', async () => ({ status: 'success' }))
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) })
