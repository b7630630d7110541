import { useEffect, useState } from 'react'

/** Pages of docs/rules/pages.md: six, and half a second until the next six. */
const PAGE = 6
const DELAY_MS = 500

/** How many of `total` are shown: six more each time the end of what is shown comes in sight, half a second later. */
export function useReveal(total: number, isEndSeen: boolean): { shown: number; isMore: boolean } {
  const [loads, setLoads] = useState(1)
  const isMore = total > loads * PAGE
  useEffect(() => {
    if (!isEndSeen || !isMore) return undefined
    const timer = setTimeout(() => setLoads((before) => before + 1), DELAY_MS)
    return () => clearTimeout(timer)
  }, [isEndSeen, isMore, loads])
  return { shown: Math.min(total, loads * PAGE), isMore }
}
