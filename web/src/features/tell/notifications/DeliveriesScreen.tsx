import { Box, Button } from '@mantine/core'
import type { Delivery } from '@vigil/contract/tell/notifications.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { deliveriesQuery } from './notifications.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Notifications.module.css'
import { useChannelWords } from './useChannelWords.ts'

/** What was sent in the last 30 days, and what came of it. */
export default function DeliveriesScreen() {
  const { t } = useTranslation('notifications')
  useTitle(t('log.title'))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(deliveriesQuery)
  const rows = data?.pages.flat() ?? []
  if (error)
    return <NotLoaded title={t('notLoaded')} problem={problemOf(error)} onRetry={() => void refetch()} />
  return (
    <div className={shared.page}>
      <PageHeader title={t('log.title')} back={{ to: paths.notifications, label: t('title') }} />
      {data && rows.length === 0 && <Notice title={t('log.empty')}>{t('log.emptyText')}</Notice>}
      {rows.length > 0 && (
        <Panel>
          <ol className={styles.log}>
            {rows.map((row) => (
              <DeliveryRow key={row.id} row={row} />
            ))}
          </ol>
        </Panel>
      )}
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('log.more')}
        </Button>
      )}
    </div>
  )
}

/** `12:01:07` and, of another day, which. */
function useClock() {
  const { i18n } = useTranslation()
  const shape = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  const time = new Intl.DateTimeFormat(i18n.language, shape)
  const dayAndTime = new Intl.DateTimeFormat(i18n.language, { month: 'short', day: 'numeric', ...shape })
  return (at: string) => {
    const date = new Date(at)
    const isToday = date.toDateString() === new Date().toDateString()
    return (isToday ? time : dayAndTime).format(date)
  }
}

function DeliveryRow({ row }: { row: Delivery }) {
  const { t } = useTranslation('notifications')
  const words = useChannelWords()
  const clock = useClock()
  const channel = words(row.channel, 'name')
  // Not tried yet, as it waits for something; later it is one like all others.
  const waitsFor = row.outcome === null && row.attempts === 0 ? row.waits_for : null
  const outcome = row.outcome ?? waitsFor ?? 'open'
  const isWaiting = waitsFor !== null
  return (
    <li className={styles.delivery} data-outcome={outcome}>
      <span className={styles.what}>
        {t(`kind.${row.kind}`)}
        {row.printer && ` · ${row.printer}`}
        {row.file && (
          <Box component="span" fw={400}>
            {' '}
            · {row.file}
          </Box>
        )}
      </span>
      <span className={styles.outcomeLine}>
        <time dateTime={row.created_at}>
          {isWaiting ? clock(row.created_at) : t('log.sent', { time: clock(row.created_at) })}
        </time>
        {t('log.comma')}
        {t(`log.${outcome}`, { channel, time: clock(row.ended_at ?? row.due_at), count: row.attempts })}
      </span>
      {row.problem && <span className={styles.problem}>{row.problem}</span>}
    </li>
  )
}
