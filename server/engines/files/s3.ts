import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { checkFolder, checkPath } from './paths.ts'
import { CONTAINERS, DiskFull, type Files, FilesUnavailable, type MediaRef } from './port.ts'
import { textOf } from '../../lib/thrown.ts'

const PART_BYTES = 8 * 1024 * 1024
const FULL = /StorageFull|QuotaExceeded|InsufficientStorage|NoSpace|DiskFull/i

/** Where the buckets are; absent keys mean the machine's own role (the SDK's default chain). */
export interface S3Options {
  readonly url: string
  readonly region: string
  readonly bucketPrefix: string
  readonly accessKeyId?: string | undefined
  readonly secretAccessKey?: string | undefined
}

type Sdk = typeof import('@aws-sdk/client-s3')

const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode
const nameOf = (error: unknown) => (error as Error | null)?.name ?? ''

function orMissing(error: unknown): null {
  if (nameOf(error) !== 'NoSuchBucket' && statusOf(error) === 404) return null
  throw error
}

/** Keeps files in one bucket a container, on any S3 server; makes missing buckets. Loads the SDK only now. Raises `FilesUnavailable`. */
export const openS3Files = (options: S3Options): Promise<Files> => openS3(options, CONTAINERS)

/** The same with other containers. */
export async function openS3<C extends string>(
  options: S3Options,
  containers: readonly C[],
): Promise<Files<C>> {
  const [sdk, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')])
  const { accessKeyId, secretAccessKey } = options
  const client = new sdk.S3Client({
    endpoint: options.url,
    region: options.region,
    forcePathStyle: true,
    // Servers other than Amazon's don't all know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: 30_000,
      httpAgent: { maxSockets: 100 },
      httpsAgent: { maxSockets: 100 },
    },
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  })
  const bucketOf = (container: C) => `${options.bucketPrefix}${container}`
  const at = ({ container, path }: MediaRef<C>) => ({ Bucket: bucketOf(container), Key: checkPath(path) })
  try {
    for (const container of containers) await makeBucket(sdk, client, bucketOf(container))
  } catch (error) {
    client.destroy()
    const why = [nameOf(error), textOf(error)].filter((word) => word !== 'Error').join(' ')
    const cure = 'Start it, or correct S3_URL and its keys.'
    throw new FilesUnavailable(
      `The S3 server at ${new URL(options.url).host} cannot be used: ${why}. ${cure}`,
      {
        cause: error,
      },
    )
  }

  return {
    async put(ref, content) {
      const target = at(ref)
      try {
        if (!(content instanceof Readable)) {
          await client.send(new sdk.PutObjectCommand({ ...target, Body: content }))
          return content.length
        }
        const counted = count(content)
        const params = { ...target, Body: Readable.from(counted.chunks, { objectMode: false }) }
        await new Upload({ client, params, partSize: PART_BYTES, queueSize: 2 }).done()
        return counted.numBytes()
      } catch (error) {
        if (content instanceof Readable) content.destroy()
        if (statusOf(error) === 507 || FULL.test(nameOf(error)))
          throw new DiskFull(target.Bucket, { cause: error })
        throw error
      }
    },
    async get(ref, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      try {
        const { Body } = await client.send(
          new sdk.GetObjectCommand({ ...at(ref), ...(Range ? { Range } : {}) }),
        )
        return Body as Readable
      } catch (error) {
        return statusOf(error) === 416 ? Readable.from([]) : orMissing(error)
      }
    },
    async stat(ref) {
      const found = await client.send(new sdk.HeadObjectCommand(at(ref))).catch(orMissing)
      return found && { numBytes: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) }
    },
    async remove(ref) {
      await client.send(new sdk.DeleteObjectCommand(at(ref))).catch(orMissing)
    },
    async removeAll(container, folder) {
      const Bucket = bucketOf(container)
      const prefix = `${checkPath(folder.replace(/\/$/, ''))}/`
      for await (const keys of pages(sdk, client, Bucket, prefix)) {
        const Objects = keys.map((Key) => ({ Key }))
        const { Errors } = await client.send(
          new sdk.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
        )
        if (Errors?.[0]) throw new Error(`${Bucket}/${Errors[0].Key} was not removed: ${Errors[0].Message}`)
      }
    },
    async *list(container, folder) {
      const prefix = checkFolder(folder)
      const found = pages(sdk, client, bucketOf(container), prefix === '' ? '' : `${prefix}/`)
      for await (const keys of found) yield* keys
    },
    close: async () => client.destroy(),
  }
}

async function makeBucket(sdk: Sdk, client: S3Client, Bucket: string): Promise<void> {
  try {
    await client.send(new sdk.HeadBucketCommand({ Bucket }))
  } catch (error) {
    // 403: it is there, but keys that may only read and write objects can't ask about it.
    if (statusOf(error) === 403) return
    if (statusOf(error) !== 404) throw error
    await client.send(new sdk.CreateBucketCommand({ Bucket })).catch((raced: unknown) => {
      if (!/BucketAlready/.test(nameOf(raced))) throw raced
    })
  }
}

/** Keys below a prefix, a page of at most 1,000 at a time. */
async function* pages(sdk: Sdk, client: S3Client, Bucket: string, Prefix: string): AsyncIterable<string[]> {
  for await (const { Contents } of sdk.paginateListObjectsV2({ client }, { Bucket, Prefix })) {
    const keys = (Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]))
    if (keys.length > 0) yield keys
  }
}

function count(content: Readable) {
  let numBytes = 0
  async function* chunks() {
    for await (const chunk of content) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)
      numBytes += bytes.length
      yield bytes
    }
  }
  return { chunks: chunks(), numBytes: () => numBytes }
}
