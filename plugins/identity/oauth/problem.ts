const expired =
  'This request has expired, or was begun in another browser. Begin again in the program.'

/** What a person is told who cannot go on, by the name of the library's error. */
const sentences: Readonly<Record<string, string>> = {
  SessionNotFound: expired,
  InvalidClient: 'This program is not known here. Connect it to this service again.',
  InvalidRedirectUri:
    'This program wants you to be sent to an address that it has not registered, so you were not sent there. Connect it again, or ask its maker.'
}
const other =
  'This program has asked in a way that cannot be answered, so you were not sent back. Begin again in the program, or ask its maker.'

/** The page that says so; error and description are those of the protocol. */
export const problem = (
  name: string,
  failure: { error: string; description?: string | undefined }
) => ({
  title: 'This cannot continue',
  problem: sentences[name] ?? other,
  failure: { code: failure.error, message: failure.description ?? '' }
})
