import type { Server } from 'node:http'

interface Context {
  app: object
  method: string
  path: string
  query: Record<string, string>
  status: number
  type: string
  body: unknown
}

/** What is used of `@20minutes/s3rver`, which has no types. */
export declare class S3rver {
  constructor(options: {
    address: string
    port: number
    directory: string
    silent: boolean
    configureBuckets: { name: string }[]
  })
  httpServer: Server
  /** Of Koa. */
  middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[]
  run(): Promise<{ port: number }>
}
