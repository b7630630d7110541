import { UPLOAD_BYTES, uploadTimelapse } from '@vigil/contract/prints/uploads.ts'
import type { Problem } from '../../../lib/errors.ts'
import { resumable } from '../../../lib/resumable.ts'

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
  const sending = await resumable(file, {
    path: uploadTimelapse.path,
    key: '',
    metadata: {
      filename: file.name,
      ...(printSeconds === null ? {} : { print_seconds: String(printSeconds) }),
    },
    onProgress: (sent, bytesPerSecond) => say({ kind: 'sending', sent, bytesPerSecond }),
    onDone: () => say({ kind: 'done' }),
    onFailed: (problem) => say({ kind: 'failed', problem }),
  })
  say({ kind: 'sending', sent: 0, bytesPerSecond: null })
  sending.go()
  return sending.giveUp
}
