import { Box, Button, SegmentedControl, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { groupings, type Stats, getStats } from '@vigil/contract/prints/stats.ts'
import { useMemo, useEffect } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { call } from '../../../lib/call.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { serverNow } from '../../../lib/clock.ts'
import { csvOf, saveAs } from '../../../lib/csv.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { dateOf, dayOf } from '../../../lib/periods.ts'
import { useUser } from '../../../lib/session.ts'
import { useStoredChoice } from '../../../lib/stored.ts'
import { useTitle } from '../../../lib/title.ts'
import { Failed } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useErrorDialog } from '../../../ui/useErrorDialog.tsx'
import { FilterBar, queryOf, useFilters, usePrinters } from '../history/index.ts'
import { type Bar, Bars } from './Bars.tsx'
import { CHOICES, dayOfKey, namesOf } from './grouping.ts'
import { frameIn, type StatsQuery, overridesIn, statsQueryOf } from './query.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Stats.module.css'
import { Totals } from './Totals.tsx'
import { countScale, filamentScale, timeScale, type Scale, written } from './units.ts'

/** With more groups than this the table has those alone in which something was printed. */
const MANY = 60

interface GroupsProps {
  title: string
  bars: readonly Bar[]
  scale: Scale
}

/** One thing over time: a chart, and the same as a table. */
function Groups({ title, bars, scale }: GroupsProps) {
  const { t } = useTranslation('stats')
  const { unit } = scale
  const say = (value: number) =>
    unit === 'prints' ? t('prints', { count: value }) : `${written(value, scale)}\u00a0${t(`short.${unit}`)}`
  const rows = bars.length > MANY ? bars.filter(({ value }) => value > 0) : bars
  return (
    <Panel title={title}>
      <div className={styles.group}>
        <Bars title={title} bars={bars} scale={scale} say={say} />
        {/* It scrolls by itself: the keyboard has to get there. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className={styles.table} role="region" aria-label={t('table', { title })} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('period')}</th>
                <th scope="col">{t(`units.${unit}`)}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ long, value }) => (
                <tr key={long}>
                  <th scope="row">{long}</th>
                  <td>{written(value, scale)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {rows.length === 0 && <p className={shared.soft}>{t('nothing')}</p>}
        </div>
      </div>
    </Panel>
  )
}

/** What the prints of some days come to, altogether and over time. */
export default function StatsScreen() {
  const { t } = useTranslation('stats')
  const message = useMessages()
  const { searchStr } = useLocation()
  const { filters, change, printers, choice, choose, query, isOverridden, stats, isStale, problem, retry } =
    useStats(searchStr)
  useTitle(t('title'))
  return (
    <Box maw={1200}>
      <PageHeader
        title={t('title')}
        note={<Span query={query} />}
        actions={
          <Button
            leftSection={<IconDownload size={16} stroke={1.75} />}
            disabled={!stats}
            onClick={() => stats && download(stats, query, (name) => t(`csv.${name}`))}
          >
            {t('download')}
          </Button>
        }
      />
      {isOverridden && (
        <Box component="p" mb={12} c="dimmed" role="status">
          {t('overridden')}{' '}
          <Link to={paths.stats} search={frameIn(searchStr)}>
            {t('own')}
          </Link>
        </Box>
      )}
      <div className={styles.controls}>
        <FilterBar filters={filters} onChange={change} printers={printers} withFeedback={false} />
        <SegmentedControl
          aria-label={t('group.label')}
          value={choice}
          onChange={(value) => choose(value)}
          data={CHOICES.map((value) => ({ value, label: t(`group.${value}`) }))}
        />
      </div>
      {problem && <Failed title={message('statsFailed')} problem={problem} onRetry={retry} />}
      {!problem && !stats && <Loading />}
      {stats && (
        <div aria-busy={isStale} className={styles.all}>
          <Totals stats={stats} />
          <Charts stats={stats} query={query} />
        </div>
      )}
    </Box>
  )
}

/** `Jan 1 – Nov 22, 2026`. */
function Span({ query }: { query: StatsQuery }) {
  const { i18n } = useTranslation()
  const format = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'short', year: 'numeric' })
  const [from, to] = [dateOf(query.from_date), dateOf(query.to_date)]
  const isSpan = Number.isFinite(from.getTime()) && Number.isFinite(to.getTime()) && from <= to
  return isSpan && <span>{format.formatRange(from, to)}</span>
}

function Charts({ stats, query }: { stats: Stats; query: StatsQuery }) {
  const { t, i18n } = useTranslation('stats')
  const { print_count_groups: counts, print_time_groups: times, filament_used_groups: used } = stats
  const grouping = groupings.find((each) => each === query.group_by.toLowerCase()) ?? 'day'
  const { to_date: to } = query
  const names = useMemo(
    () =>
      namesOf(
        counts.map(({ key }) => key),
        grouping,
        to,
        i18n.language,
      ),
    [counts, grouping, to, i18n.language],
  )
  const bars = (groups: Stats['print_count_groups']) =>
    groups.map(({ value }, at) => ({ short: '', long: '', ...names[at], value }))
  const most = (groups: Stats['print_count_groups']) => Math.max(0, ...groups.map(({ value }) => value))
  return (
    <>
      <Groups title={t('count')} bars={bars(counts)} scale={countScale} />
      <Groups title={t('time')} bars={bars(times)} scale={timeScale(most(times))} />
      <Groups title={t('filament')} bars={bars(used)} scale={filamentScale(most(used))} />
    </>
  )
}

function Loading() {
  const { t } = useTranslation('common')
  return (
    <div className={styles.all} aria-busy="true" aria-label={t('loading')}>
      <Skeleton height={168} radius={12} />
      <Skeleton height={280} radius={12} />
      <Skeleton height={280} radius={12} />
    </div>
  )
}

/** All groups as a table: hours and metres. */
function download(
  stats: Stats,
  query: StatsQuery,
  word: (name: 'from' | 'prints' | 'hours' | 'metres') => string,
): void {
  const rows = stats.print_count_groups.map(({ key, value }, at) => [
    dayOfKey(key),
    value,
    Number(((stats.print_time_groups[at]?.value ?? 0) / 3600).toFixed(3)),
    Number(((stats.filament_used_groups[at]?.value ?? 0) / 1000).toFixed(3)),
  ])
  const table = csvOf([[word('from'), word('prints'), word('hours'), word('metres')], ...rows])
  saveAs(`statistics_${query.from_date}_${query.to_date}.csv`, table, 'text/csv;charset=utf-8')
}

/** The filters, what the address says instead of them, and what the prints that they mean come to. */
function useStats(search: string) {
  const { printers, ids, error: printersError } = usePrinters()
  const { filters, change, reset } = useFilters(ids, 'statsFiltering')
  const [choice, choose] = useStoredChoice('statsGrouping', CHOICES, 'auto')
  const overrides = useMemo(() => overridesIn(search), [search])
  const joined = useUser().date_joined
  const today = dayOf(new Date(serverNow()))
  const query = useMemo(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    const known = { now: new Date(`${today}T12:00:00`), joined: new Date(joined), timeZone }
    return statsQueryOf(queryOf(filters, known), choice, overrides, known)
  }, [filters, choice, overrides, today, joined])
  const found = useQuery({
    queryKey: ['prints', 'stats', query],
    // The server says what is wrong with an address that somebody wrote.
    queryFn: () => call(getStats, { query }),
    // A printer that is gone must not decide what is asked for.
    enabled: filters.printers.length === 0 || ids !== undefined || printersError !== null,
    placeholderData: keepPreviousData,
  })
  useTold(found.error)
  return {
    printers: printers ?? [],
    filters,
    change,
    reset,
    choice,
    choose,
    query,
    isOverridden: Object.keys(overrides).length > 0,
    stats: found.isError ? undefined : found.data,
    isStale: found.isPlaceholderData,
    problem: found.error && problemOf(found.error),
    retry: () => void found.refetch(),
  }
}

/** The dialog of docs/rules/pages.md, once for each failure. */
function useTold(error: Error | null): void {
  const show = useErrorDialog()
  const message = useMessages()
  useEffect(() => {
    if (error) show(message('statsFailed'))
    // oxlint-disable-next-line react/exhaustive-deps
  }, [error])
}
