/** Names of errors that come from a wrong setting: waiting does not help. */
const mistakes: Readonly<Record<string, string>> = {
  NoSuchBucket: 'SVC_FILES_URL: there is no such bucket',
  InvalidBucketName: 'SVC_FILES_URL: the store does not take the name of the bucket',
  PermanentRedirect: 'SVC_FILES_URL: the bucket is in another region',
  AuthorizationHeaderMalformed: 'SVC_FILES_URL: the bucket is in another region',
  AccessDenied: 'SVC_FILES_KEY: it may not use the bucket of SVC_FILES_URL',
  InvalidAccessKeyId: 'SVC_FILES_KEY: the store does not know it',
  SignatureDoesNotMatch: 'SVC_FILES_SECRET: it is not that of SVC_FILES_KEY',
  CredentialsProviderError:
    'SVC_FILES_KEY: it is not set, and the environment has no other credentials'
}

/**
 * A call to an object store failed. Says why in one line, and nothing that the SDK adds to its errors: they have the
 * headers of the request.
 */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure'
  /** Whether a setting is wrong. */
  readonly isMistake: boolean

  constructor(error: unknown) {
    const { name, code, message } = error as Error & { code?: string }
    const mistake = mistakes[name]
    const reason =
      name === 'AbortError' ? 'no answer in time' : (code ?? (name === 'Error' ? message : name))
    super(mistake ?? `SVC_FILES_URL: the store does not work (${reason})`)
    this.isMistake = mistake !== undefined
  }
}
