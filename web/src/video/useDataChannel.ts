import { useCallback, useEffect, useRef } from 'react'
import type { Feed } from './feed.ts'
import { useInUse } from './useInUse.ts'

/** Waits before it is tried again; what it brings is a help and no need. */
const RETRY_MS = [10_000, 60_000, 300_000]

/** Hears the data of a stream for as long as somebody looks; null path: of none. Gives what says something over it, if it can be heard at once. */
export function useDataChannel(
  path: string | null,
  streamId: number,
  onData: (data: Uint8Array) => void,
): (text: string) => boolean {
  const feed = useRef<Feed | null>(null)
  const hear = useRef(onData)
  hear.current = onData
  const inUse = useInUse()
  useEffect(() => {
    if (path === null || !inUse || typeof RTCPeerConnection === 'undefined') return undefined
    let isOver = false
    let tries = 0
    let timer: number | undefined
    const open = () =>
      void import('./feed.ts').then(({ Feed: Opened }) => {
        if (!isOver) feed.current = new Opened({ path, rung: { kind: 'data', streamId } }, heard)
      })
    const heard = {
      onEvent: ({ type }: { type: string }) => {
        if (type !== 'failed' || isOver) return
        feed.current = null
        timer = window.setTimeout(open, RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)])
      },
      onData: (data: Uint8Array) => hear.current(data),
      onStream: () => undefined,
      onPicture: () => Promise.resolve(),
      onUp: () => undefined,
      onRest: () => undefined,
    }
    open()
    return () => {
      isOver = true
      window.clearTimeout(timer)
      feed.current?.close()
      feed.current = null
    }
  }, [path, streamId, inUse])
  return useCallback((text) => feed.current?.send(text) ?? false, [])
}
