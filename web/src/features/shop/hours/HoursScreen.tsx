import { Alert, Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, infiniteQueryOptions } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  type DetectionHours,
  type HourBucket,
  type HourTransaction,
  listHourTransactions,
} from '@vigil/contract/shop/hours.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { serverUrl } from '../../../lib/base.ts'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import shared from '../../../ui/shared.module.css'
import { hoursQuery } from '../usage/index.ts'
import styles from './Hours.module.css'

const PAGE = 24

/** What was gained and spent, newest first; a short page is the last one. */
const transactionsQuery = infiniteQueryOptions({
  queryKey: ['hours', 'transactions'] as const,
  queryFn: ({ pageParam }) => call(listHourTransactions, { query: { start: pageParam, limit: PAGE } }),
  initialPageParam: 0,
  getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
})

/** The hours of AI detection of an account, and how it came to it; where none are counted, those that were earned. */
export default function HoursScreen() {
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

function Balance({ hours }: { hours: DetectionHours }) {
  const { t } = useTranslation('hours')
  const { hours: format } = useTimeText()
  const { balance, is_unlimited, low } = hours
  if (is_unlimited)
    return (
      <>
        <div className={styles.number}>{t('unlimited')}</div>
        <p className={styles.soft}>{t('unlimitedText')}</p>
      </>
    )
  return (
    <>
      <div>
        <span className={styles.number}>{format(balance)}</span>{' '}
        <span className={styles.soft}>{t('left')}</span>
      </div>
      <div className={styles.bar} aria-hidden>
        {KINDS.filter((kind) => hoursIn(hours, kind) > 0).map((kind) => (
          <i key={kind} data-kind={kind} style={{ flexGrow: hoursIn(hours, kind) }} />
        ))}
      </div>
      <Kinds hours={hours} />
      {low && (
        <Alert color="warn" icon={<IconAlertTriangle size={18} stroke={1.75} />} mt="md">
          {t(balance < 0 ? 'out' : 'low')}
        </Alert>
      )}
    </>
  )
}

/** What there is of each kind, and what comes next. */
function Kinds({ hours }: { hours: DetectionHours }) {
  const { t } = useTranslation('hours')
  const { moment, hours: format } = useTimeText()
  const { included_expires_at: end, next_grant: next } = hours
  const texts = {
    earned: t('earnedText'),
    included: end === null ? t('includedText') : t('includedUntil', { moment: moment(ms(end) ?? 0) }),
  }
  return (
    <dl className={styles.buckets}>
      {(['earned', 'included'] as const).map((bucket) => (
        <div key={bucket}>
          <dt data-kind={bucket}>
            <b>{format(hours[bucket])}</b> {t(`bucketName.${bucket}`)}
          </dt>
          <dd className={styles.soft}>{texts[bucket]}</dd>
        </div>
      ))}
      {next && (
        <div>
          <dt data-kind="next">
            <b>+ {format(next.hours)}</b>
          </dt>
          <dd className={styles.soft}>{t('nextGrant', { moment: moment(ms(next.at) ?? 0) })}</dd>
        </div>
      )}
    </dl>
  )
}

/** What the bar is made of: the two kinds, and what comes next, dashed. */
const KINDS = ['earned', 'included', 'next'] as const

const hoursIn = (hours: DetectionHours, kind: (typeof KINDS)[number]) =>
  kind === 'next' ? (hours.next_grant?.hours ?? 0) : hours[kind]

/** The whole statement as a file, drawn by the server. */
function Download() {
  const { t, i18n } = useTranslation('hours')
  return (
    <Button
      component="a"
      size="xs"
      href={serverUrl(`/ent/api/detection_hours/statement/?lang=${i18n.language}`)}
      leftSection={<IconDownload size={16} stroke={1.75} />}
    >
      CSV
      <VisuallyHidden>{t('csv')}</VisuallyHidden>
    </Button>
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
    <Panel title={t('transactions')} aside={rows.length > 0 && <Download />}>
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
  const { moment, hours: format } = useTimeText()
  return (
    <tr>
      <td className={styles.date}>{moment(ms(row.created_at) ?? 0)}</td>
      <td>
        {row.print === null ? (
          row.description
        ) : (
          <>
            <Link to={paths.print(row.print)} title={t('ofPrint')}>
              {row.print_name ?? row.description}
            </Link>
            {row.print_name !== null && <div className={styles.soft}>{row.description}</div>}
          </>
        )}
      </td>
      <td className={styles.wide}>
        <span className={styles.kind} data-kind={row.bucket satisfies HourBucket}>
          {t(`bucketName.${row.bucket}`)}
        </span>
      </td>
      <td className={styles.figure}>{(row.hours > 0 ? '+ ' : '') + format(row.hours)}</td>
      <td className={styles.figure}>{format(row.balance_after)}</td>
    </tr>
  )
}
