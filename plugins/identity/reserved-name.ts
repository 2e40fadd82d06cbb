/** Whether pages use a name for the service or its user: only an administrator gives it to a program. */
export const isReserved = (name: string) =>
  /^(gatehouse|(you|theagent|aprogramwithajwt|atokenthatwasdeleted)$)/.test(
    name
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, '')
  )
