import { serverUrl } from './base.ts'
import { CallError, type Problem, problemOf, readProblem } from './errors.ts'

/** After which pauses a line that broke is tried again; then the sender is told. */
const RETRIES_MS = [1_000, 3_000, 8_000, 20_000]

export interface ResumableOptions {
  /** The address of the endpoint that takes the whole, of which this is the one in parts. */
  readonly path: string
  /** The fields that go with it. */
  readonly metadata: Record<string, string>
  /** What tells this sending from another of the same file. */
  readonly key: string
  /** How many bytes have gone, and how fast; not known in the first second. */
  readonly onProgress: (sent: number, bytesPerSecond: number | null) => void
  /** The server's answer to the last part. */
  readonly onDone: (answer: unknown) => void
  readonly onFailed: (problem: Problem) => void
}

/** A file on its way. */
export interface Resumable {
  /** Goes on where it stopped, as far as the server has it. */
  readonly go: () => void
  readonly pause: () => void
  /** For good: what has come is thrown away. */
  readonly giveUp: () => void
}

/**
 * Sends a file in parts: what has come is not sent again after a broken line, a pause, nor after a reload when the same file
 * is chosen.
 */
export async function resumable(file: File, options: ResumableOptions): Promise<Resumable> {
  const { path, metadata, key, onProgress, onDone, onFailed } = options
  const { Upload } = await import('tus-js-client')
  const speedOf = meter()
  const failed = (error: unknown) => onFailed(problemOf(error))
  const upload = new Upload(file, {
    endpoint: serverUrl(`${path}resumable/`),
    retryDelays: RETRIES_MS,
    removeFingerprintOnSuccess: true,
    fingerprint: () => Promise.resolve(`${path} ${key} ${file.name} ${file.size} ${file.lastModified}`),
    metadata,
    onProgress: (sent) => onProgress(sent, speedOf(sent)),
    onSuccess({ lastResponse }) {
      const answer = parsed(lastResponse.getBody())
      // All of it had come, and the server had not said what it made of it: it is asked to.
      if (answer === '') void finish(upload.url ?? '', file.size).then(onDone, failed)
      else onDone(answer)
    },
    onError(error) {
      const response = 'originalResponse' in error ? error.originalResponse : null
      if (response === null) return onFailed({ kind: 'offline' })
      const retryAfter = response.getHeader('Retry-After') ?? null
      onFailed(readProblem(response.getStatus(), retryAfter, parsed(response.getBody())))
    },
  })
  const [begun] = await upload.findPreviousUploads()
  if (begun) upload.resumeFromPreviousUpload(begun)
  return {
    go: () => upload.start(),
    pause: () => void upload.abort(false),
    giveUp: () => void upload.abort(true).catch(() => undefined),
  }
}

/** Sends the end of an upload, of which nothing is missing. */
async function finish(url: string, size: number): Promise<unknown> {
  const headers = {
    'Tus-Resumable': '1.0.0',
    'Upload-Offset': String(size),
    'Content-Type': 'application/offset+octet-stream',
  }
  const answer = await fetch(url, { method: 'PATCH', headers }).catch(() => null)
  if (answer === null) throw new CallError({ kind: 'offline' })
  const body = parsed(await answer.text())
  if (answer.ok) return body
  throw new CallError(readProblem(answer.status, answer.headers.get('Retry-After'), body))
}

/** Bytes a second, smoothed, of the count that it is told now and then. */
function meter(): (sent: number) => number | null {
  let since: { at: number; sent: number } | null = null
  let speed: number | null = null
  return (sent) => {
    const now = performance.now()
    // What was there already is not counted; nor is a pause.
    if (since === null || sent < since.sent || now - since.at > 10_000) since = { at: now, sent }
    const seconds = (now - since.at) / 1000
    if (seconds >= 1) {
      const latest = (sent - since.sent) / seconds
      speed = speed === null ? latest : 0.7 * speed + 0.3 * latest
      since = { at: now, sent }
    }
    return speed
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
