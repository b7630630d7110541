import { useEffect } from 'react'
import { sendAccount } from '../live/accountLine.ts'
import { sendLive } from '../live/printerLine.ts'

/** A printer that does not print sends no pictures by itself: one is asked for so often while somebody looks. */
const EVERY_MS = 5_000

/** Has the main camera's still made anew for as long as it stands in the place of a moving picture. */
export function useFreshStill(printerId: number, isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return undefined
    const ask = () => sendLive(printerId, { still: true }) || sendAccount({ still: [printerId] })
    ask()
    const timer = setInterval(ask, EVERY_MS)
    return () => clearInterval(timer)
  }, [printerId, isWanted])
}
