import { createRequire } from 'node:module'

/** Loaded before the service as `without.ts?hooks=NAME,NAME`: it then lacks the hooks of these names. */
const { Hooks } = createRequire(import.meta.resolve('fastify'))('./lib/hooks.js') as {
  Hooks: { prototype: { add(hook: string, fn: { name: string }): void } }
}
const left = new Set(new URL(import.meta.url).searchParams.get('hooks')?.split(','))
const { add } = Hooks.prototype
Hooks.prototype.add = function addUnlessLeft(hook, fn) {
  if (!left.delete(fn.name)) add.call(this, hook, fn)
}
// A name that nothing has would measure the whole service.
process.on('exit', () => {
  if (left.size > 0) process.stderr.write(`no hook is called ${[...left].join(', ')}\n`)
})
