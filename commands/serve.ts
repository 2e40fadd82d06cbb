import type { Commands } from './command.ts'

/** Whether these words start the service, without a mistake. */
export const startsService = ([command, ...options]: readonly string[]) =>
  command === 'serve' && options.every((word) => word === '--check')

/** Whether a command needs the declared areas: their scopes, or their tables. */
export const needsAreas = ([first, second]: readonly string[]) =>
  ['client', 'database', 'token'].includes(String(first === 'help' ? second : first))

export const serveCommands: Commands = {
  serve: {
    operands: [],
    options: { check: '' },
    about:
      'Run the service. With --check, only find out whether configuration, schemas and statements are right, and end.',
    async run() {
      // It runs as soon as it is loaded, and reads --check itself.
      await import('../server.ts')
      return ''
    }
  }
}
