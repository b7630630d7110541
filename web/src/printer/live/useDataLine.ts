import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { cameras } from '../camera/camera.ts'
import { hearAnswer } from '../driver/passthru.ts'
import { applyNews, oneKey } from '../held.ts'
import { isOffline } from '../state.ts'
import { readData, useDataChannel } from '../../video/index.ts'
import { offerDataLine } from './data-line.ts'
import { statusOf } from './data-status.ts'

/** The stream that carries a printer's status; null for none, and for one whose data are pictures. */
function channelOf(printer: Printer): number | null {
  const given = String(printer.settings['data_channel_id'] ?? '')
  if (!/^\d{1,9}$/.test(given)) return null
  const id = Number(given)
  const isPicture = cameras(printer.settings).some(
    ({ stream }) => stream.id === id && stream.mode?.includes('mjpeg'),
  )
  return isPicture ? null : id
}

/**
 * Hears a printer's status straight from it, which is there before the server's, and its answers; what is said to it goes that way, too
 * (docs/wire/agents.md 4.4). Where it can't be had nothing is missing: the server says the same.
 */
export function useDataLine(printer: Printer): void {
  const client = useQueryClient()
  const { id } = printer
  const stream = isOffline(printer) ? null : channelOf(printer)
  const send = useDataChannel(stream === null ? null : `/ws/janus/${id}/`, stream ?? 0, (data) => {
    void readData(data).then((said) => {
      hearAnswer({ passthru: said })
      const status = statusOf(client.getQueryData<Printer>(oneKey(id)), said)
      if (status) applyNews(client, [{ printers: [{ id, status }], patches: [], gone: [] }])
    })
  })
  useEffect(() => offerDataLine(id, send), [id, send])
}
