import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isTaken, type Progress, send } from './sending.ts'
import { uploadsKey } from './uploads.api.ts'

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
