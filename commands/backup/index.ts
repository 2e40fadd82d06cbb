import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Commands, UsageError, withSecrets } from '../command.ts'

/** The fewest characters of a passphrase: a backup can be guessed at for as long as somebody has it. */
const minPassphrase = 12

/** In one form, whichever the keyboard gives: a backup is mostly opened on another machine. */
const askFor = async (ask: (prompt: string) => Promise<string>, prompt: string) =>
  (await ask(prompt)).normalize('NFC')

/** The passphrase of a new backup. */
const newPassphrase = () =>
  withSecrets(async (ask, isTerminal) => {
    const passphrase = await askFor(ask, 'Passphrase: ')
    if (passphrase.length < minPassphrase) {
      throw new UsageError(`the passphrase must have ${minPassphrase} characters or more`)
    }
    if (isTerminal && (await askFor(ask, 'Again: ')) !== passphrase) {
      throw new UsageError('the two passphrases differ')
    }
    return passphrase
  })

const askPassphrase = () => withSecrets((ask) => askFor(ask, 'Passphrase: '))

/** Ends the work that a signal interrupts in order: what it has begun is removed. */
async function untilSignal<T>(work: (signal: AbortSignal) => Promise<T>) {
  const stop = new AbortController()
  const abort = () => stop.abort(new Error('stopped before the end'))
  process.once('SIGINT', abort).once('SIGTERM', abort)
  try {
    return await work(stop.signal)
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort)
  }
}

const failed = (what: string) => (cause: unknown) => {
  if (cause instanceof UsageError) throw cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw new Error(`${what}: ${reason.replaceAll(/\s+/g, ' ')}`, { cause })
}

export const backupCommands: Commands = {
  backup: {
    operands: ['FILE'],
    options: { seal: '', 'without-secret': '' },
    about:
      'Put all that a lost disk would take into one new file: the database, the files, declared areas and the generated secret. With --seal, it is encrypted with a passphrase. The service may be running.',
    async run({ operands: [file = ''], options }, load) {
      const config = load()
      const { writeBackup } = await import('./write.ts')
      const passphrase = options.seal === undefined ? undefined : await newPassphrase()
      const withSecret = options['without-secret'] === undefined
      return untilSignal((signal) =>
        writeBackup(resolve(file), config, { passphrase, withSecret, signal })
      ).catch(failed(`cannot make ${file}`))
    }
  },
  restore: {
    operands: ['FILE'],
    options: { into: 'DIR', check: '', deliver: '' },
    about:
      'Restore a backup into the data folder, or DIR, which must be empty. A passphrase is asked for if there is one. Webhooks that it sends are paused, unless --deliver says that it takes the place of the service. With --check, only read the backup whole and say what is in it.',
    async run({ operands: [file = ''], options: { into, check, deliver } }, load) {
      const found = statSync(file, { throwIfNoEntry: false })
      if (!found) throw new Error(`there is no ${file}`)
      if (!found.isFile()) throw new Error(`${file} is not a file`)
      const { readBackup, restoreInto } = await import('./restore.ts')
      const { named } = await import('./write.ts')
      const config = check === undefined && into === undefined ? load() : undefined
      const folder = resolve(into || (config?.SVC_DATA_DIR ?? '.'))
      const { manifest, problems, files, paused } = await (check === undefined
        ? restoreInto(folder, file, { askPassphrase, delivers: deliver !== undefined })
        : readBackup(file, askPassphrase, async (_name, content) => {
            for await (const _ of content);
          }).then((read) => ({ ...read, paused: 0 }))
      ).catch(failed(check === undefined ? `cannot restore ${file}` : file))
      const { gatehouse, made_at, contains, left_out } = manifest
      const lines = [
        ...named(problems),
        check === undefined ? `restored ${file} into ${folder}` : `${file} is whole`,
        `it was made at ${made_at} by Gatehouse ${gatehouse}: ${contains.join(', ')} (${files})`,
        ...left_out.map((what) => `it lacks ${what}`),
        ...(paused > 0
          ? [
              `${paused} outgoing ${paused === 1 ? 'webhook is' : 'webhooks are'} paused: nothing is sent until their owners resume them; restore with --deliver if this takes the place of the service`
            ]
          : []),
        ...(config?.SVC_DATABASE_URL && contains.includes('the database')
          ? ['SVC_DATABASE_URL is set: database copy moves the restored database there']
          : []),
        ...(config?.SVC_AREAS_DIR
          ? ['SVC_AREAS_DIR is set: move the restored folder areas there']
          : [])
      ]
      return `${lines.join('\n')}\n`
    }
  }
}
