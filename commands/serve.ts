import type { Commands } from './command.ts'

/** Whether these words start the service, without a mistake. */
export const startsService = ([command, ...options]: readonly string[]) =>
  command === 'serve' && options.every((word) => word === '--check' || word === '--watch')

/** Whether a command needs the declared areas: their scopes, or their tables. */
export const needsAreas = ([first, second]: readonly string[]) =>
  ['client', 'database', 'token'].includes(String(first === 'help' ? second : first)) ||
  (first === 'area' && ['import', 'export'].includes(String(second)))

export const serveCommands: Commands = {
  serve: {
    operands: [],
    options: { check: '', watch: '' },
    about:
      'Run the service. With --check, only find out whether it would start, and end. With --watch, in development, take declared areas that change.',
    async run() {
      // It runs as soon as it is loaded, and reads its options itself.
      await import('../server.ts')
      return ''
    }
  }
}
