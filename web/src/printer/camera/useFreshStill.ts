import { useEffect, useRef } from 'react'

/** A printer that does not print sends no pictures by itself: one is asked for so often while somebody looks. */
const EVERY_MS = 5_000

/** Has the main camera's still made anew for as long as it stands in the place of a moving picture. */
export function useFreshStill(isWanted: boolean, ask: () => unknown): void {
  const asking = useRef(ask)
  asking.current = ask
  useEffect(() => {
    if (!isWanted) return undefined
    asking.current()
    const timer = setInterval(() => asking.current(), EVERY_MS)
    return () => clearInterval(timer)
  }, [isWanted])
}
