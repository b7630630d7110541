import type { LinkFrame, VerificationCode } from '@vigil/contract/printers/linking.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { openSocket } from '../../../lib/socket.ts'
import { codeQuery, type DiscoveryState } from './linking.api.ts'

/**
 * Hears at once that the code was used, or that it has run out. The owner is at the printer then, so it listens in
 * the background too; the poll of the code stays as the fall-back.
 */
export function useLinkLine(code: VerificationCode | undefined, printerId: number | null) {
  const client = useQueryClient()
  const [linked, setLinked] = useState<number | null>(null)
  const [discovery, setDiscovery] = useState<DiscoveryState | null>(null)
  const id = code && !code.verified_at ? code.id : null

  useEffect(() => {
    if (id === null) return undefined
    const line = openSocket(`/ws/link/${id}/`, {
      background: true,
      onMessage: (message) => {
        const frame = message as LinkFrame | null
        if (!frame || typeof frame !== 'object') return
        if ('waiting' in frame) {
          setDiscovery(frame.discovery)
          return
        }
        // Its last word: the server closes, and it isn't opened again.
        line.close()
        if ('verified_at' in frame && frame.printer) setLinked(frame.printer.id)
        else void client.invalidateQueries({ queryKey: codeQuery(printerId).queryKey })
      },
    })
    return () => line.close()
  }, [client, id, printerId])

  return { linked, discovery }
}
