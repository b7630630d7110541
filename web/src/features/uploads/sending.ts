import { UPLOAD_BYTES, uploadTimelapse } from '@vigil/contract/timelapse-upload.ts'
import { serverUrl } from '../../lib/base.ts'
import { type Problem, readProblem } from '../../lib/errors.ts'

/** After which pauses a line that broke is tried again; then the owner is asked. */
const RETRIES_MS = [1_000, 3_000, 8_000, 20_000]

/** How far one file is. */
export type Progress =
  | { kind: 'chosen' }
  | { kind: 'refused' }
  | { kind: 'sending'; sent: number; bytesPerSecond: number | null }
  | { kind: 'failed'; problem: Problem }
  | { kind: 'done' }

/** Whether this is a film that is taken at all, by its name and size. */
export const isTaken = ({ name, size }: File): boolean =>
  /\.(mp4|mpe?g)$/i.test(name) && size > 0 && size <= UPLOAD_BYTES

interface Sending {
  readonly file: File
  readonly printSeconds: number | null
  readonly say: (progress: Progress) => void
}

/**
 * Sends a film in parts: what has come is not sent again after a broken line, nor after a reload, when the same file is chosen. Returns
 * what gives it up.
 */
export async function send({ file, printSeconds, say }: Sending): Promise<() => void> {
  const { Upload } = await import('tus-js-client')
  let since = { at: performance.now(), sent: -1 }
  let speed: number | null = null
  const upload = new Upload(file, {
    endpoint: serverUrl(`${uploadTimelapse.path}resumable/`),
    retryDelays: RETRIES_MS,
    removeFingerprintOnSuccess: true,
    metadata: {
      filename: file.name,
      ...(printSeconds === null ? {} : { print_seconds: String(printSeconds) }),
    },
    onProgress(sent) {
      const now = performance.now()
      if (since.sent < 0) since = { at: now, sent }
      const seconds = (now - since.at) / 1000
      if (seconds >= 1) {
        const latest = (sent - since.sent) / seconds
        speed = speed === null ? latest : 0.7 * speed + 0.3 * latest
        since = { at: now, sent }
      }
      say({ kind: 'sending', sent, bytesPerSecond: speed })
    },
    onSuccess: () => say({ kind: 'done' }),
    onError(error) {
      const response = 'originalResponse' in error ? error.originalResponse : null
      const problem: Problem = response
        ? readProblem(
            response.getStatus(),
            response.getHeader('Retry-After') ?? null,
            parsed(response.getBody()),
          )
        : { kind: 'offline' }
      say({ kind: 'failed', problem })
    },
  })
  const [begun] = await upload.findPreviousUploads()
  if (begun) upload.resumeFromPreviousUpload(begun)
  say({ kind: 'sending', sent: 0, bytesPerSecond: null })
  upload.start()
  return () => void upload.abort(true).catch(() => undefined)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
