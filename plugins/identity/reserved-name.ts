/** Whether pages use a name for the service or its user: only an administrator gives it to a program. */
export const isReserved = (name: string) =>
  /^(gatehouse|(you|theagent|aprogramwithajwt|atokenthatwasdeleted)$)/.test(
    name
      .normalize('NFKD')
      .toLowerCase()
      // Some letters do not show either.
      .replaceAll(/[^\p{L}\p{N}]|\p{DI}/gu, '')
  )
