import {
  autoLink,
  getCode,
  type LinkFrame,
  listDiscovered,
  listWizardProducts,
  matchPasscode,
  pollCode,
  type VerificationCode,
} from '@vigil/contract/printers/linking.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { ms } from '../../../lib/format.ts'
import { serverNow } from '../../../lib/clock.ts'

/** The page looks for its answer this often (docs/rules/pages.md 1). */
const POLL_MS = 5_000

/** What a code is for: a printer that is linked again, or whose a new one becomes; null: the reader's own. */
export interface Linking {
  readonly printerId: number | null
  readonly account: number | null
}

/** The open code; polled by its id until it is used, renewed when it has run out (docs/wire/agents.md 2.1). */
export function codeQuery({ printerId, account }: Linking) {
  const queryKey = ['linkCode', printerId, account] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ client }): Promise<VerificationCode> => {
      const held = client.getQueryData<VerificationCode>(queryKey)
      if (held && !held.verified_at) {
        const polled = await call(pollCode, { params: { id: held.id } })
        if (polled.verified_at || (ms(polled.expired_at) ?? 0) > serverNow()) return polled
      }
      const query = printerId === null ? (account === null ? {} : { account }) : { printer_id: printerId }
      return call(getCode, { query })
    },
    refetchInterval: ({ state }) => (state.data?.verified_at ? false : POLL_MS),
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    gcTime: 0,
  })
}

/** Unlinked printers on the same network, each once. */
export const discoveredQuery = queryOptions({
  queryKey: ['discovered'],
  queryFn: async () => {
    const all = await call(listDiscovered)
    return [...new Map(all.map((device) => [device.device_id, device])).values()]
  },
  refetchInterval: POLL_MS,
  staleTime: 0,
  gcTime: 0,
})

export const sendPasscode = (passcode: string, code: string) =>
  call(matchPasscode, { body: { one_time_passcode: passcode, verification_code: code } })

export const sendSecret = (code: string, deviceId: string, secret: string) =>
  call(autoLink, { body: { code, device_id: deviceId, device_secret: secret } })

/** Printers that ship with an agent: this server's list, which its operator may replace. */
export const productsQuery = queryOptions({
  queryKey: ['wizardProducts'],
  queryFn: () => call(listWizardProducts),
  staleTime: Infinity,
})

export type DiscoveryState = Extract<LinkFrame, { waiting: true }>['discovery']
