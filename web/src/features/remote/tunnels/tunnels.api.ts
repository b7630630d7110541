import { createTunnel } from '@vigil/contract/remote/tunnels.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

interface Wanted {
  readonly app: string
  readonly printerId: number
}

/** Lets an app reach a printer's own page; the answer holds the password, this once. */
export function useAuthorize() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ app, printerId }: Wanted) =>
      call(createTunnel, { body: { app_name: app, target_printer_id: printerId } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['tunnels'] }),
    // Nothing of it stays behind when the page is left.
    gcTime: 0,
  })
}
