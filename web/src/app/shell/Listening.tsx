import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../../lib/translation.ts'
import { useTabIcon } from '../../lib/tab-icon.ts'
import { useTitleMark } from '../../lib/title.ts'
import { useAccountLine } from '../../printer/live/account-line.ts'
import { useFeed } from '../../printer/live/feed.ts'
import { printersQuery } from '../../printer/printers.api.ts'
import { hasOpenAlert, signOf } from '../../printer/state.ts'

/** Printers that were read a while ago are read again when one comes to another page. */
const STALE_MS = 60_000

/** Hears on every page what is new of the account, and has the browser's tab tell of an alert. */
export function Listening() {
  useAccountLine()
  const { t } = useTranslation('printers')
  const { data } = useQuery({ ...printersQuery, staleTime: STALE_MS })
  useReadAnew()
  const printers = (data ?? []).filter(({ archived_at }) => archived_at === null)
  const needing = printers.filter(hasOpenAlert).length
  useTabIcon(signOf(printers), 'account')
  useTitleMark(needing > 0 ? t('list.needing', { count: needing }) : '')
  return null
}

/** What happened to a printer may be an alert, or the end of one. */
function useReadAnew(): void {
  const client = useQueryClient()
  const newest = useFeed()?.newest
  const known = useRef(newest)
  useEffect(() => {
    const before = known.current
    known.current = newest
    if (before === undefined || before === newest) return
    void client.invalidateQueries({ queryKey: printersQuery.queryKey, exact: true })
  }, [client, newest])
}
