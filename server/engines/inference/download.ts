/** Fetches an operator's own model by URL, hash-checked (docs/detector.md: never embedded, never mirrored). */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readChecked } from './card.ts'
import { DetectorUnavailable } from './port.ts'

/** The largest model that is fetched, bytes. */
const MODEL_SIZE_LIMIT = 400 * 1024 * 1024

/**
 * Downloads a model into `folder` as `<sha256>.onnx` unless it is there already, and returns its path. Written
 * to a temporary file and renamed only when size and hash fit. Throws {@link DetectorUnavailable} otherwise.
 * @param url http or https
 * @param sha256 64 hex digits, mandatory
 */
export async function downloadModel(
  url: string,
  sha256: string,
  folder: string,
  signal: AbortSignal,
  sizeLimit = MODEL_SIZE_LIMIT,
): Promise<string> {
  const digest = sha256.toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(digest))
    throw new DetectorUnavailable('the SHA-256 of the model is not 64 hex digits')
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new DetectorUnavailable('the model must come from an http or https address')
  }
  const path = join(folder, `${digest}.onnx`)
  if (await isThere(path, digest)) return path
  await mkdir(folder, { recursive: true })
  const temporary = join(folder, `.${digest}.${randomUUID()}.part`)
  try {
    const found = await fetchTo(temporary, url, signal, sizeLimit)
    if (found !== digest)
      throw new DetectorUnavailable(`the model at ${url} has SHA-256 ${found}, not ${digest}`)
    await rename(temporary, path)
    return path
  } finally {
    await rm(temporary, { force: true })
  }
}

async function isThere(path: string, digest: string): Promise<boolean> {
  return readChecked(path, digest).then(
    () => true,
    () => false,
  )
}

/** Streams the body into a file, synced; returns its SHA-256 in hex. */
async function fetchTo(path: string, url: string, signal: AbortSignal, sizeLimit: number): Promise<string> {
  const response = await fetch(url, { signal }).catch((error: unknown) => {
    throw new DetectorUnavailable(`the model at ${url} can't be reached`, { cause: error })
  })
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    throw new DetectorUnavailable(`the model at ${url} answered ${response.status}`)
  }
  const hash = createHash('sha256')
  const file = await open(path, 'wx')
  let size = 0
  try {
    for await (const chunk of response.body) {
      size += chunk.length
      if (size > sizeLimit) throw new DetectorUnavailable(`the model at ${url} is over ${sizeLimit} bytes`)
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}
