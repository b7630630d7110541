import { Alert, Button, Skeleton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  type DetectionHours,
  type HourBucket,
  type HourTransaction,
  getDetectionHours,
  listHourTransactions,
} from '@vigil/contract/shop/hours.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './Hours.module.css'

const PAGE = 24

const hoursQuery = queryOptions({
  queryKey: ['hours'] as const,
  queryFn: () => call(getDetectionHours),
})

/** What was gained and spent, newest first; a short page is the last one. */
const transactionsQuery = infiniteQueryOptions({
  queryKey: ['hours', 'transactions'] as const,
  queryFn: ({ pageParam }) => call(listHourTransactions, { query: { start: pageParam, limit: PAGE } }),
  initialPageParam: 0,
  getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
})

/** The hours of AI detection of an account, and how it came to them; only the enterprise edition has this page. */
export default function HoursScreen() {
  const { settings } = useBootstrap()
  const { t } = useTranslation('common')
  if (settings.IS_ENT) return <Hours />
  return (
    <Notice
      whole
      title={t('notFound.title')}
      actions={
        <Button component={Link} to={paths.printers}>
          {t('notFound.home')}
        </Button>
      }
    />
  )
}

function Hours() {
  const { t } = useTranslation('hours')
  const { t: common } = useTranslation('common')
  const { data, error, refetch } = useQuery(hoursQuery)
  useTitle(t('title'))
  if (error)
    return <Failed whole title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
  return (
    <div className={shared.page}>
      <PageHeader back={{ to: paths.preferences, label: common('back') }} title={t('title')} />
      <Panel>{data ? <Balance hours={data} /> : <Skeleton height={96} />}</Panel>
      <Transactions />
    </div>
  )
}

function useHours() {
  const { i18n } = useTranslation()
  return (hours: number, signDisplay: 'auto' | 'exceptZero' = 'auto') =>
    new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1, signDisplay }).format(hours)
}

function Balance({ hours }: { hours: DetectionHours }) {
  const { t } = useTranslation('hours')
  const { moment } = useTimeText()
  const format = useHours()
  const { balance, is_unlimited, low, included_expires_at: end, next_grant: next } = hours
  if (is_unlimited)
    return (
      <>
        <div className={styles.number}>{t('unlimited')}</div>
        <p className={styles.soft}>{t('unlimitedText')}</p>
      </>
    )
  const texts = {
    included: end === null ? t('includedText') : t('includedUntil', { moment: moment(ms(end) ?? 0) }),
    earned: t('earnedText'),
  }
  return (
    <>
      <div>
        <span className={styles.number}>{format(balance)}</span> <span>{t('left')}</span>
      </div>
      <dl className={styles.buckets}>
        {(['included', 'earned'] as const).map((bucket) => (
          <div key={bucket}>
            <dt>
              {t(`bucketName.${bucket}`)} <b>{format(hours[bucket])}</b>
            </dt>
            <dd className={styles.soft}>{texts[bucket]}</dd>
          </div>
        ))}
      </dl>
      {next && (
        <p className={styles.soft}>
          {t('nextGrant', { hours: format(next.hours), moment: moment(ms(next.at) ?? 0) })}
        </p>
      )}
      {low && (
        <Alert color="warn" icon={<IconAlertTriangle size={18} stroke={1.75} />} mt="md">
          {t('low')}
        </Alert>
      )}
    </>
  )
}

function Transactions() {
  const { t } = useTranslation('hours')
  const { data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(transactionsQuery)
  const rows = data?.pages.flat() ?? []
  if (error)
    return (
      <Panel title={t('transactions')}>
        <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      </Panel>
    )
  return (
    <Panel title={t('transactions')}>
      {isPending && <Skeleton height={160} />}
      {!isPending && rows.length === 0 && <Notice title={t('none')}>{t('noneText')}</Notice>}
      {rows.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('date')}</th>
              <th scope="col">{t('what')}</th>
              <th scope="col" className={styles.wide}>
                {t('bucket')}
              </th>
              <th scope="col" className={styles.figure}>
                {t('hours')}
              </th>
              <th scope="col" className={styles.figure}>
                {t('after')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </tbody>
        </table>
      )}
      {hasNextPage && (
        <Button mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </Panel>
  )
}

function Row({ row }: { row: HourTransaction }) {
  const { t } = useTranslation('hours')
  const { moment } = useTimeText()
  const format = useHours()
  return (
    <tr>
      <td className={styles.date}>{moment(ms(row.created_at) ?? 0)}</td>
      <td>
        {row.print === null ? (
          row.description
        ) : (
          <Link to={paths.print(row.print)} title={t('ofPrint')}>
            {row.description}
          </Link>
        )}
      </td>
      <td className={styles.wide}>{t(`bucketName.${row.bucket satisfies HourBucket}`)}</td>
      <td className={styles.figure}>{format(row.hours, 'exceptZero')}</td>
      <td className={styles.figure}>{format(row.balance_after)}</td>
    </tr>
  )
}
