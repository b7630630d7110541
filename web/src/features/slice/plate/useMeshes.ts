import { useEffect, useRef, useState } from 'react'
import { serverUrl } from '../../../lib/base.ts'
import { type Piece, readMesh } from '../meshes/index.ts'
import type { PlateView } from './scene.ts'

const NONE: ReadonlySet<string> = new Set()
/** As much is said of what comes; then it is there. */
const MOST_SAID = 0.99

interface Meshes {
  /** Those that the view has. */
  readonly known: ReadonlySet<string>
  /** How much of those on the plate has come, 0 to 0.99; null when all is there. */
  readonly share: number | null
}

/** Brings the meshes into a view, one after the other, each read in a thread of its own. `size`: of them all in bytes, as far as an address says it. */
export function useMeshes(
  open: PlateView | null,
  pieces: readonly Piece[],
  size: number | null,
  onFailed: (url: string) => void,
): Meshes {
  const [held, setHeld] = useState<{ view: PlateView | null; urls: ReadonlySet<string> }>({
    view: null,
    urls: NONE,
  })
  const [part, setPart] = useState(0)
  const known = held.view === open ? held.urls : NONE
  const urls = [...new Set(pieces.map(({ url }) => url))]
  const next = urls.find((url) => !known.has(url))
  const failed = useRef(onFailed)
  useEffect(() => {
    failed.current = onFailed
  })
  useEffect(() => {
    if (!open || next === undefined) return undefined
    setPart(0)
    performance.mark('plate.asked')
    const end = readMesh(serverUrl(next), (news) => {
      if (news.kind === 'read') {
        const total = news.total ?? size
        return setPart(total === null ? 0 : Math.min(1, news.bytes / total))
      }
      if (news.kind === 'done') open.know(next, news.shape)
      else failed.current(next)
      setHeld(({ view, urls: all }) => ({
        view: open,
        urls: new Set([...(view === open ? all : NONE), next]),
      }))
    })
    return end
  }, [open, next, size])
  const done = urls.filter((url) => known.has(url)).length
  return {
    known,
    share: next === undefined ? null : Math.min(MOST_SAID, (done + part) / urls.length),
  }
}
