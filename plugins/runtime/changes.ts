import fp from 'fastify-plugin'
import { Commits } from '../../db/database.ts'

declare module 'fastify' {
  interface FastifyInstance {
    changes: {
      /**
       * Calls `listener` with each user who may have new changes in the record, or with `everyone`: at once after a commit of
       * this process, soon after one of another. A message can be lost, so a listener that must not miss a
       * change looks at the database from time to time too. Returns a function that ends it: who waits for
       * nothing does not listen, so that a change costs nothing.
       */
      onCommitted(listener: (user_id: number) => void): () => void
    }
  }
}

/** How long users are collected for one message to the other processes, in milliseconds. */
const collectMs = 10
/** How many users one message names at most. PostgreSQL carries 8,000 bytes. */
const maxUsers = 400

/** Tells listeners in all processes of the service that changes were committed. A lone process publishes nothing. */
export default fp(
  async (app) => {
    const { db, peers } = app
    if (peers.isAlone) {
      app.decorate('changes', { onCommitted: db.onChanges })
      return
    }
    const commits = new Commits()
    const collected = new Set<number>()
    let timer: NodeJS.Timeout | undefined

    function publish() {
      timer = undefined
      const users = [...collected]
      collected.clear()
      for (let from = 0; from < users.length; from += maxUsers) {
        peers.publish('changes', users.slice(from, from + maxUsers).join(','))
      }
    }
    db.onChanges((user_id) => {
      commits.emit('committed', user_id)
      collected.add(user_id)
      timer ??= setTimeout(publish, collectMs).unref()
    })
    peers.subscribe('changes', (message) => {
      for (const user_id of message.split(',').map(Number)) commits.emit('committed', user_id)
    })
    app.decorate('changes', { onCommitted: (listener) => commits.listen(listener) })
    app.addHook('onClose', async () => clearTimeout(timer))
  },
  { name: 'changes', fastify: '5.x', dependencies: ['database', 'peers'] }
)
