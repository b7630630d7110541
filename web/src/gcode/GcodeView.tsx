import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from '../lib/translation.ts'
import { useBytes } from '../ui/useBytes.ts'
import { Bar } from '../ui/Bar.tsx'
import { Drawn } from './Drawn.tsx'
import styles from './Gcode.module.css'
import type { News, Order } from './scan.worker.ts'
import type { Toolpath } from './toolpath.ts'

/** 16 bytes each, here and in the graphics' memory. A file of 100 MB has three million. */
const MOST_MOVES = 4_000_000

interface Loading {
  readonly onRead: (bytes: number, total: number | null) => void
  readonly onDone: (path: Toolpath) => void
  /** `status`: what the server said; null where it could not be read at all. */
  readonly onFailed: (status: number | null) => void
}

/** Reads a file in a thread of its own, as it comes; the returned function ends that at once. */
function loadToolpath(url: string, { onRead, onDone, onFailed }: Loading): () => void {
  const began = performance.now()
  const worker = new Worker(new URL('scan.worker.ts', import.meta.url), { type: 'module' })
  const end = () => worker.terminate()
  worker.onmessage = ({ data }: MessageEvent<News>) => {
    if (data.kind === 'read') return onRead(data.bytes, data.total)
    end()
    if (data.kind === 'failed') return onFailed(data.status)
    performance.measure('gcode.read', {
      start: began,
      detail: { scannedMs: data.ms, moves: data.path.count },
    })
    onDone(data.path)
  }
  worker.onerror = () => {
    end()
    onFailed(null)
  }
  worker.postMessage({ url: new URL(url, document.baseURI).href, mostMoves: MOST_MOVES } satisfies Order)
  return end
}

export interface GcodeViewProps {
  /** Where the file is read: an address of ours. */
  url: string
  /** The corners of the bed as the slicer wrote them (`0x0,220x0,…`). */
  bedArea?: string | null
}

type State =
  | { readonly is: 'reading'; readonly bytes: number; readonly total: number | null }
  | { readonly is: 'failed'; readonly status: number | null }
  | { readonly is: 'read'; readonly path: Toolpath }

const BEGINNING: State = { is: 'reading', bytes: 0, total: null }

/** What a G-code file prints, in three dimensions, by layers and moves. Reads the file when it stands, and stops when it goes. */
export function GcodeView({ url, bedArea = null }: GcodeViewProps) {
  const { t } = useTranslation('gcode')
  const bytes = useBytes()
  const [state, setState] = useState(BEGINNING)
  const [turn, setTurn] = useState(0)
  // A signed address gets another signature now and then; the file stays the same.
  const [path] = url.split('?', 1)

  useEffect(() => {
    setState(BEGINNING)
    return loadToolpath(url, {
      onRead: (read, total) => setState({ is: 'reading', bytes: read, total }),
      onDone: (read) => setState({ is: 'read', path: read }),
      onFailed: (status) => setState({ is: 'failed', status }),
    })
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [path, turn])

  if (state.is === 'read') return <Drawn path={state.path} bedArea={bedArea} />
  if (state.is === 'failed')
    return (
      <div className={styles.instead} role="alert">
        <p>{t(state.status === 404 ? 'gone' : 'failed')}</p>
        <Button variant="default" onClick={() => setTurn(turn + 1)}>
          {t('again')}
        </Button>
      </div>
    )
  const share = state.total === null ? null : Math.min(100, (state.bytes / state.total) * 100)
  return (
    <div className={styles.instead} aria-busy="true">
      <p>{t('reading', { size: bytes(state.bytes) })}</p>
      <Bar
        className={styles.progress}
        value={share ?? 100}
        animated={share === null}
        aria-label={t('readingLabel')}
      />
    </div>
  )
}
