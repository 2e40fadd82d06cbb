import type { Failure } from '../../http/errors/index.ts'

/** What `plugins/patterns/pages/problem.eta` shows of a failure. `labels` are names for the fields, used in its details. */
export const problemOf = (
  { code, message, data }: Failure,
  labels: Readonly<Record<string, string>> = {}
) => ({
  code,
  message,
  details:
    data?.details?.map(({ field, message }) => `${labels[field] ?? field} ${message}.`) ?? [],
  data
})
