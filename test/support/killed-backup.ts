import { loadConfig } from '../../fastify.config.ts'

// A process of its own, to be killed: makes a backup, or restores one, and says when it begins.
const [what, file = '', folder = ''] = process.argv.slice(2)
const { writeBackup } = await import('../../commands/backup/write.ts')
const { restoreInto } = await import('../../commands/backup/restore.ts')
await import('../../db/sqlite/backup.ts')
await import('modern-tar')
const config = loadConfig({ SVC_ENV: 'test', SVC_DATA_DIR: folder })
process.stdout.write('begins\n')
if (what === 'backup') {
  const { signal } = new AbortController()
  await writeBackup(file, config, { passphrase: undefined, withSecret: true, signal })
} else await restoreInto(folder, file, { askPassphrase: async () => '', delivers: true })
