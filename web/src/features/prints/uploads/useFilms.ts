import { useQueryClient } from '@tanstack/react-query'
import { UPLOAD_BYTES, uploadTimelapse } from '@vigil/contract/prints/uploads.ts'
import { useEffect, useRef, useState } from 'react'
import type { Problem } from '../../../lib/errors.ts'
import { resumable } from '../../../lib/resumable.ts'
import { uploadsKey } from './uploads.api.ts'

/** How far one file is. */
type Progress =
  | { kind: 'chosen' }
  | { kind: 'refused' }
  | { kind: 'sending'; sent: number; bytesPerSecond: number | null }
  | { kind: 'failed'; problem: Problem }
  | { kind: 'done' }

/** Whether this is a film that is taken at all, by its name and size. */
const isTaken = ({ name, size }: File): boolean =>
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
async function send({ file, printSeconds, say }: Sending): Promise<() => void> {
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

/** A film that was chosen. */
export interface Film {
  readonly id: number
  readonly file: File
  /** How long the print took; null: not said. */
  readonly printSeconds: number | null
  readonly progress: Progress
}

let count = 0

/** The films that were chosen on this page, and how far each is; one is sent after the other. */
export function useFilms() {
  const [films, setFilms] = useState<readonly Film[]>([])
  const client = useQueryClient()
  const givingUp = useRef(new Map<number, () => void>())
  useEffect(() => {
    const all = givingUp.current
    return () => all.forEach((giveUp) => giveUp())
  }, [])
  const change = (id: number, more: Partial<Film>) =>
    setFilms((known) => known.map((film) => (film.id === id ? { ...film, ...more } : film)))
  const say = (id: number) => (progress: Progress) => {
    change(id, { progress })
    if (progress.kind === 'done') void client.invalidateQueries({ queryKey: uploadsKey })
  }
  return {
    films,
    choose(files: readonly File[]) {
      const added = files.map((file): Film => {
        const progress: Progress = isTaken(file) ? { kind: 'chosen' } : { kind: 'refused' }
        return { id: ++count, file, printSeconds: null, progress }
      })
      setFilms((known) => [...known, ...added])
    },
    lasted: (id: number, printSeconds: number | null) => change(id, { printSeconds }),
    async start({ id, file, printSeconds }: Film) {
      change(id, { progress: { kind: 'sending', sent: 0, bytesPerSecond: null } })
      givingUp.current.set(id, await send({ file, printSeconds, say: say(id) }))
    },
    drop(id: number) {
      givingUp.current.get(id)?.()
      givingUp.current.delete(id)
      setFilms((known) => known.filter((film) => film.id !== id))
    },
  }
}
