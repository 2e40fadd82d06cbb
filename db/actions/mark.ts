import { randomUUID } from 'node:crypto'
import type { Repositories } from '../repositories/index.ts'

/** The mark of this name, which is made at its first use; processes that make it together get the same. */
export async function markOf(
  { marks }: Pick<Repositories, 'marks'>,
  name: string,
  make: () => string = randomUUID
) {
  const found = await marks.find({ name })
  if (found) return found.value
  await marks.add({ name, value: make() })
  const { value } = (await marks.find({ name })) ?? {}
  if (!value) throw new Error(`the mark ${name} was not kept`)
  return value
}
