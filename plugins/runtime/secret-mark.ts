import { markOf } from '../../db/actions/mark.ts'
import type { Repositories } from '../../db/repositories/index.ts'
import type { Config } from '../../schemas/config.ts'
import { sealer, urlSecretOf } from './secrets.ts'

const name = 'secret'
/** The known text, which is sealed as other secrets of the database are. */
const known = 'gatehouse'

/** Said if a database was sealed with another secret. */
export const otherSecret =
  'The secrets of this database were sealed with another SVC_URL_SECRET: second factors, webhooks and connections of assistants fail until it is back.'

/**
 * The secret that a database is sealed with, known by a text that it has in sealed form. One that has none yet takes
 * the secret of now.
 */
export function secretMark(config: Pick<Config, 'SVC_DATA_DIR' | 'SVC_URL_SECRET'>) {
  const { seal, open } = sealer(urlSecretOf(config), 'known text')
  const fits = (value: string) => open(name, value) === known
  return {
    /** Whether it is the secret of now. Makes the mark if there is none. */
    check: async (repos: Repositories) => fits(await markOf(repos, name, () => seal(name, known))),
    /** The same, without making it. */
    async read({ marks }: { marks: Pick<Repositories['marks'], 'find'> }) {
      const found = await marks.find({ name })
      return found === undefined || fits(found.value)
    },
    /** From now on, the secret of now is the one of the database. */
    accept: (repos: Repositories) => repos.marks.set({ name, value: seal(name, known) })
  }
}
