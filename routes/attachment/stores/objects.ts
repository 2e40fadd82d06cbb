import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { ObjectPlace } from '../../../schemas/object-place.ts'
import { traced } from '../../../schemas/traced.ts'
import { StoreFailure } from './failure.ts'
import { FilePart } from './file-part.ts'
import { type ByteRange, callMs, type FileStore, type StoreUse } from './index.ts'

/** A larger file is sent in parts of this size, so that each call is short. */
const partBytes = 16 * 1024 ** 2
/** A file has 10,000 parts at most. */
const maxParts = 10_000
/** How long all parts of a file may take. Below the time after which the sweep takes an upload for abandoned. */
const partsMs = 4 * 60_000
const connectMs = 1900
/** A signed URL of S3 lives a week at most. */
const maxLinkSeconds = 7 * 86_400
/** Of the object that says to which database the place belongs. */
const markName = 'gatehouse-database'
/** The names that the service gives to files. Others in the same place are not its own. */
const filePattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Credentials {
  accessKeyId: string
  secretAccessKey: string
}
type CallOptions = { abortSignal: AbortSignal }

const statusOf = (error: unknown) =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
const nameOf = (error: unknown) => (error instanceof Error ? error.name : '')

const ignore = () => undefined

/** Not a missing bucket, which is `NoSuchBucket`, except for HEAD, whose answers have no body to tell. */
const isMissing = (error: unknown) =>
  ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(nameOf(error))
const isNotImplemented = (error: unknown) => statusOf(error) === 501

/** Whether a call may succeed if it is made once more: a connection that broke, an error of the store. */
function isPassing(error: unknown) {
  const status = statusOf(error)
  return status === undefined ? nameOf(error) !== 'AbortError' : status >= 500 && status !== 501
}

/** Keeps files in a bucket of an object store that speaks S3. */
export function objectStore(
  { bucket: Bucket, prefix, region, endpoint }: ObjectPlace,
  credentials: Credentials | undefined,
  { mark, guard }: StoreUse
): FileStore {
  const client = new S3Client({
    region,
    ...(credentials && { credentials }),
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    maxAttempts: 2,
    // Otherwise some of its warnings go to the console.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    // The trailing CRC32 that the SDK adds by default is not understood by every server that speaks S3.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // With it, the SDK would make a new connection for each upload.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: connectMs,
      // A download may stand still for as long as its reader does.
      socketTimeout: 0,
      httpAgent: { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY },
      httpsAgent: { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }
    }
  })
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        const operation = commandName.replace('Command', '')
        return traced({ kind: 'store', operation }, () => next(args))
      },
    { step: 'initialize' }
  )
  const keyOf = (file: string) => ({ Bucket, Key: prefix + file })

  /** Makes one call, which ends in time. Undefined if there is no such object. */
  const call = <T>(work: (options: CallOptions) => Promise<T>) =>
    guard(async () => {
      const controller = new AbortController()
      const timer = setTimeout(() => controller.abort(), callMs)
      try {
        return await work({ abortSignal: controller.signal })
      } catch (error) {
        controller.abort()
        if (isMissing(error)) return undefined
        throw new StoreFailure(error)
      } finally {
        clearTimeout(timer)
      }
    })

  /** The same with a part of a file as its body. The SDK does not repeat a call whose body is a stream. */
  const callWith = <T>(
    path: string,
    range: ByteRange,
    work: (body: { Body: Readable; ContentLength: number }, options: CallOptions) => Promise<T>
  ) =>
    call(async (options) => {
      for (let isLast = false; ; isLast = true) {
        const Body = new FilePart(path, range)
        const failed = new Promise<never>((_resolve, reject) => Body.once('error', reject))
        const sent = work({ Body, ContentLength: Body.length }, options)
        try {
          return await Promise.race([sent, failed])
        } catch (error) {
          if (isLast || !isPassing(error)) throw error
        } finally {
          Body.destroy()
        }
      }
    })

  async function putWhole(file: string, path: string, size: number, sha256: string) {
    await callWith(path, { start: 0, end: size - 1 }, (body, options) => {
      const command = new PutObjectCommand({ ...keyOf(file), ...body })
      // Signed with the hash that is known already, so the store refuses other bytes.
      command.middlewareStack.add(
        (next) => (args) => {
          const request = args.request as { headers: Record<string, string> }
          request.headers['x-amz-content-sha256'] = sha256
          return next(args)
        },
        { step: 'build' }
      )
      return client.send(command, options)
    })
  }

  async function putParts(file: string, path: string, size: number) {
    const until = Date.now() + partsMs
    const partSize = Math.max(partBytes, Math.ceil(size / maxParts))
    const begun = await call((options) =>
      client.send(new CreateMultipartUploadCommand(keyOf(file)), options)
    )
    const upload = { ...keyOf(file), UploadId: begun?.UploadId }
    try {
      const Parts: { PartNumber: number; ETag: string | undefined }[] = []
      for (let start = 0; start < size; start += partSize) {
        if (Date.now() > until) throw new StoreFailure(new Error(`took longer than ${partsMs} ms`))
        const PartNumber = Parts.length + 1
        const range = { start, end: Math.min(start + partSize, size) - 1 }
        const sent = await callWith(path, range, (body, options) =>
          client.send(new UploadPartCommand({ ...upload, PartNumber, ...body }), options)
        )
        Parts.push({ PartNumber, ETag: sent?.ETag })
      }
      const whole = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })
      await call((options) => client.send(whole, options))
    } catch (error) {
      // If this fails too, the sweep does it.
      await abort(upload).catch(() => undefined)
      throw error
    }
  }

  const abort = (upload: { Bucket: string; Key: string; UploadId: string | undefined }) =>
    call((options) => client.send(new AbortMultipartUploadCommand(upload), options))

  async function readMark() {
    const found = await call(async (options) => {
      const { Body } = await client.send(new GetObjectCommand(keyOf(markName)), options)
      return Body?.transformToString()
    })
    return found?.trim()
  }

  /** Does nothing if there is one. Stores that do not know the condition overwrite it, so it is read again later. */
  async function writeMark(Body: string) {
    await call(async (options) => {
      const object = { ...keyOf(markName), Body, ContentType: 'text/plain' }
      try {
        await client.send(new PutObjectCommand({ ...object, IfNoneMatch: '*' }), options)
      } catch (error) {
        if (isNotImplemented(error)) await client.send(new PutObjectCommand(object), options)
        else if (![409, 412].includes(statusOf(error) ?? 0)) throw error
      }
    })
  }

  return {
    name: `s3://${Bucket}/${prefix}`,

    async put(file, path, { size, sha256 }) {
      if (size <= partBytes) await putWhole(file, path, size, sha256)
      else await putParts(file, path, size)
    },

    async read(file, range) {
      const body = await call(async (options) => {
        const Range = range && `bytes=${range.start}-${range.end}`
        const object = new GetObjectCommand({ ...keyOf(file), Range })
        const { Body, ContentLength } = await client.send(object, options)
        if (!(Body instanceof Readable)) throw new Error('an answer without a body')
        // More bytes than our answer announces would be taken for another answer.
        if (range && ContentLength !== range.end - range.start + 1) {
          Body.destroy()
          throw new Error('ranges are not known')
        }
        return Body
      })
      return body && watched(body)
    },

    async find(file) {
      const found = await call((options) =>
        client.send(new HeadObjectCommand(keyOf(file)), options)
      )
      return (
        found && { size: found.ContentLength ?? 0, modified: found.LastModified?.getTime() ?? 0 }
      )
    },

    async remove(file) {
      await call((options) => client.send(new DeleteObjectCommand(keyOf(file)), options))
    },

    async *list() {
      let ContinuationToken: string | undefined
      do {
        const page = new ListObjectsV2Command({
          Bucket,
          Prefix: prefix,
          Delimiter: '/',
          ContinuationToken
        })
        const found = await call((options) => client.send(page, options))
        for (const { Key = '' } of found?.Contents ?? []) {
          const file = Key.slice(prefix.length)
          if (filePattern.test(file)) yield file
        }
        ContinuationToken = found?.NextContinuationToken
      } while (ContinuationToken)
    },

    async isOurs() {
      const ours = await mark()
      const found = await readMark()
      if (found !== undefined) return found === ours
      await writeMark(ours)
      return (await readMark()) === ours
    },

    async endUnfinished(before) {
      let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {}
      for (;;) {
        const page = new ListMultipartUploadsCommand({ Bucket, Prefix: prefix, ...marker })
        const found: ListMultipartUploadsCommandOutput | undefined = await call((options) =>
          client.send(page, options).catch((error) => {
            // Such a store has to end them by itself (docs/deploy.md).
            if (!isNotImplemented(error)) throw error
            return undefined
          })
        )
        for (const { Key = '', UploadId, Initiated } of found?.Uploads ?? []) {
          const isFile = Key.startsWith(prefix) && filePattern.test(Key.slice(prefix.length))
          const isOld = Initiated !== undefined && Initiated.getTime() <= before
          if (isFile && isOld) await abort({ Bucket, Key, UploadId })
        }
        if (!found?.IsTruncated) return
        marker = { KeyMarker: found.NextKeyMarker, UploadIdMarker: found.NextUploadIdMarker }
      }
    },

    async link(file, { type, disposition, seconds }) {
      const command = new GetObjectCommand({
        ...keyOf(file),
        ResponseContentType: type,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: 'private, no-cache'
      })
      // Needs no call to the store, but credentials may have to be fetched.
      const url = await call(() =>
        getSignedUrl(client, command, { expiresIn: Math.min(seconds, maxLinkSeconds) })
      )
      return String(url)
    },

    close: () => client.destroy()
  }
}

/** The same bytes. Fails if the store sends nothing for too long while there is somebody to read. */
function watched(body: Readable) {
  async function* bytes() {
    const chunks = body[Symbol.asyncIterator]()
    for (;;) {
      const timer = setTimeout(() => body.destroy(new Error('the store stopped sending')), callMs)
      const { done, value } = await chunks.next().finally(() => clearTimeout(timer))
      if (done) return
      yield value
    }
  }
  const stream = Readable.from(bytes(), { objectMode: false })
  stream.once('close', () => body.destroy())
  return stream
}
