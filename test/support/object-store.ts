import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client
} from '@aws-sdk/client-s3'
import t, { type Test } from 'tap'
import { noParts } from '../../.ci/parts/load.ts'
import { startObjectServer } from '../../tools/bench/object-server.ts'
import { temporaryFolder } from './folder.ts'

/**
 * Another server that speaks S3, as `http://KEY:SECRET@HOST:PORT/BUCKET`; it makes the bucket. If it is set, the tests run on it, otherwise
 * on one of npm in this process.
 */
const { TEST_OBJECT_STORE_URL: otherUrl = '' } = process.env

/** Why there is no object store; false if there is one. */
export const noStore = otherUrl ? false : noParts

interface Server {
  endpoint: URL
  bucket: string
  credentials: { accessKeyId: string; secretAccessKey: string }
}

async function startOwn(): Promise<Server> {
  const server = await startObjectServer(temporaryFolder(t))
  t.teardown(server.close)
  return server
}

async function otherServer(): Promise<Server> {
  const url = new URL(otherUrl)
  const credentials = {
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: url.password
  }
  const server = { endpoint: new URL(url.origin), bucket: url.pathname.slice(1), credentials }
  const client = clientOf(server)
  await client
    .send(new CreateBucketCommand({ Bucket: server.bucket }))
    .catch((error) => t.match(error, { name: 'BucketAlreadyOwnedByYou' }))
  client.destroy()
  return server
}

const clientOf = ({ endpoint, credentials }: Server) =>
  new S3Client({
    region: 'us-east-1',
    endpoint: endpoint.origin,
    forcePathStyle: true,
    credentials,
    requestChecksumCalculation: 'WHEN_REQUIRED'
  })

let running: Promise<Server> | undefined
const server = () => {
  running ??= otherUrl ? otherServer() : startOwn()
  return running
}

/** What goes on between a service and its store. */
type Line = 'up' | 'down' | 'silent'

/** A line to the store that can be cut, or fall silent. */
async function startLine(t: Test, { hostname, port }: URL) {
  const ends = new Set<Socket>()
  let state: Line = 'up'
  const line = createServer((near) => {
    if (state === 'down') return near.resetAndDestroy()
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near]
    ] as const) {
      ends.add(from)
      from
        .on('error', () => {})
        .on('close', () => {
          ends.delete(from)
          to.destroy()
        })
        .on('data', (bytes) => {
          if (state === 'up') to.write(bytes)
        })
    }
  }).listen(0, '127.0.0.1')
  await once(line, 'listening')
  t.teardown(() => {
    for (const end of ends) end.destroy()
    line.close()
  })
  return {
    port: (line.address() as AddressInfo).port,
    /** How many are open. */
    connections: () => ends.size / 2,
    /** Also of what is open. */
    set(next: Line) {
      state = next
      if (next === 'down') for (const end of ends) end.resetAndDestroy()
    }
  }
}

/** A place of its own in an object store, and the environment of a service that keeps its files there. */
export async function objectStore(t: Test) {
  const found = await server()
  const { bucket, credentials } = found
  const line = await startLine(t, found.endpoint)
  const prefix = `test/${randomUUID()}`
  const client = clientOf(found)
  t.teardown(() => client.destroy())
  const place = { Bucket: bucket, Prefix: `${prefix}/` }
  const keyOf = (name: string) => ({ Bucket: bucket, Key: `${prefix}/${name}` })
  return {
    env: {
      SVC_FILES_URL: `s3://${bucket}/${prefix}?endpoint=http://127.0.0.1:${line.port}`,
      SVC_FILES_KEY: credentials.accessKeyId,
      SVC_FILES_SECRET: credentials.secretAccessKey
    },
    line,
    /** What its names begin with. */
    prefix: place.Prefix,
    /** The names of all objects, but the mark. */
    async files() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command(place))
      const names = Contents.map(({ Key = '' }) => Key.slice(place.Prefix.length))
      return names.filter((name) => name !== 'gatehouse-database').sort()
    },
    async read(name: string) {
      const { Body } = await client.send(new GetObjectCommand(keyOf(name)))
      return String(await Body?.transformToString())
    },
    write: (name: string, Body: string) =>
      client.send(new PutObjectCommand({ ...keyOf(name), Body })),
    remove: (name: string) => client.send(new DeleteObjectCommand(keyOf(name))),
    /** Begins an upload in parts. */
    begin: (name: string) => client.send(new CreateMultipartUploadCommand(keyOf(name))),
    /** The names of uploads in parts that were not completed. */
    async unfinished() {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand(place))
      return Uploads.map(({ Key = '' }) => Key.slice(place.Prefix.length))
    }
  }
}
