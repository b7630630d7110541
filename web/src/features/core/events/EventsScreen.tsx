import { Box, Button, Group, Skeleton, Text } from '@mantine/core'
import { IconArrowUp, IconBellOff, IconChevronDown, IconFilter } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PrinterEvent } from '@vigil/contract/core/events.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useEffect, useRef, type RefObject, useCallback, useLayoutEffect, useMemo, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverNow } from '../../../lib/clock.ts'
import { problemOf } from '../../../lib/errors.ts'
import { dateFormat } from '../../../lib/format.ts'
import { dayOf } from '../../../lib/periods.ts'
import { useUser } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { useOnScreen } from '../../../lib/useOnScreen.ts'
import { useAccountLine, useLiveList } from '../../../printer/live/account-line.ts'
import { useFeed } from '../../../printer/live/feed.ts'
import { printersQuery } from '../../../printer/printers.api.ts'
import { hasOpenAlert } from '../../../printer/state.ts'
import { lazyMenu } from '../../../ui/lazy-menu.tsx'
import { Failed, Notice, useProblemText } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { type Day, daysOf } from './days.ts'
import { EventRow } from './EventRow.tsx'
import { eventsIn, eventsQuery, markSeen, readHead } from './events.api.ts'
import styles from './Events.module.css'
import { useFilters, type Filters } from './filters.ts'

const DAY_MS = 86_400_000

const FilterMenu = lazyMenu(async () => (await import('./FilterMenu.tsx')).FilterMenu)

/** What happened to the owner's printers, newest first. */
export default function EventsScreen() {
  const { t } = useTranslation('events')
  const { filters, toggle, all } = useFilters()
  useTitle(t('title'))
  const count = filters.classes.length + filters.types.length
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={
          <FilterMenu
            filters={filters}
            onToggle={toggle}
            onAll={all}
            button={
              <Button
                data-set={count > 0 || undefined}
                className={styles.filter}
                leftSection={<IconFilter size={16} stroke={1.75} />}
                rightSection={<IconChevronDown size={14} stroke={1.75} />}
              >
                {count > 0 ? t('filter.some', { count }) : t('filter.button')}
              </Button>
            }
          />
        }
      />
      <Feed key={JSON.stringify(filters)} filters={filters} onAll={() => [all('classes'), all('types')]} />
    </>
  )
}

function Feed({ filters, onAll }: { filters: ReturnType<typeof useFilters>['filters']; onAll: () => void }) {
  const { t } = useTranslation('events')
  const list = useRef<HTMLDivElement>(null)
  const top = useRef<HTMLDivElement>(null)
  const isTopSeen = useOnScreen(top, '0px')
  const { events, isPending, problem, retry, hasMore, isReading, more } = useEvents(filters, useStill(list))
  const ids = events.map(({ id }) => id)
  const days = useMemo(() => daysOf(events), [events])
  const above = useAbove(ids, isTopSeen)
  const alerting = useAlerting(events)
  useSeen(isTopSeen && !isPending)
  const isFiltering = filters.classes.length + filters.types.length > 0

  if (problem && events.length === 0) return <Failed title={t('failed')} problem={problem} onRetry={retry} />
  return (
    <>
      <Box ref={top} h={1} />
      {isPending && <Loading count={8} />}
      {above > 0 && (
        <Button
          variant="filled"
          className={styles.arrived}
          leftSection={<IconArrowUp size={16} stroke={1.75} />}
          onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
        >
          {t('arrived', { count: above })}
        </Button>
      )}
      {!isPending && events.length === 0 && (
        <Notice
          title={t('empty')}
          picture={<IconBellOff size={48} stroke={1.25} />}
          actions={isFiltering && <Button onClick={onAll}>{t('filter.reset')}</Button>}
        />
      )}
      <div ref={list} className={styles.days} aria-busy={isReading}>
        {days.map((day) => (
          <DayOfEvents key={day.day} day={day} alerting={alerting} />
        ))}
      </div>
      {isReading && <Loading count={2} />}
      {problem && <NotRead problem={problem} onRetry={retry} />}
      {hasMore && !problem && <Further key={events.length} onNear={more} />}
      {!hasMore && events.length > 0 && <p className={styles.end}>{t('end')}</p>}
    </>
  )
}

/** The printers whose alert is open, each by the event that told of it last. */
function useAlerting(events: readonly PrinterEvent[]): ReadonlyMap<number, Printer> {
  const { data } = useQuery(printersQuery)
  const open = useMemo(() => data?.filter((printer) => !printer.archived_at && hasOpenAlert(printer)), [data])
  useLiveList(open)
  return useMemo(() => {
    const told = (open ?? []).flatMap((printer): [number, Printer][] => {
      const event = events.find(
        ({ event_type: type, print }) =>
          type === 'FAILURE_ALERTED' && print !== null && print === printer.current_print?.id,
      )
      return event ? [[event.id, printer]] : []
    })
    return new Map(told)
  }, [events, open])
}

interface DayOfEventsProps {
  day: Day
  alerting: ReadonlyMap<number, Printer>
}

/** `Today · 24 November`, and what happened on it. */
function DayOfEvents({ day: { day, at, stories }, alerting }: DayOfEventsProps) {
  const { t, i18n } = useTranslation('events')
  const now = serverNow()
  const near = [
    [now, 'today'],
    [now - DAY_MS, 'yesterday'],
  ] as const
  const name = near.find(([one]) => dayOf(new Date(one)) === day)?.[1]
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  const date = dateFormat(i18n.language, {
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  })
  return (
    <section aria-labelledby={`day-${day}`}>
      <Group component="header" gap={10} mb={8} align="baseline">
        <h2 id={`day-${day}`}>
          {name ? t(`day.${name}`) : dateFormat(i18n.language, { weekday: 'long' }).format(at)}
        </h2>
        <Text span size="sm" c="var(--v-soft)">
          {date.format(at)}
        </Text>
      </Group>
      <ul className={styles.list}>
        {stories.map((story) => (
          <EventRow key={story.event.id} story={story} alerting={alerting.get(story.event.id)} />
        ))}
      </ul>
    </section>
  )
}

/** What has not been read yet: read when it comes near. */
function Further({ onNear }: { onNear: () => void }) {
  const ref = useRef<HTMLDivElement>(null)
  const isNear = useOnScreen(ref, '800px')
  useEffect(() => {
    if (isNear) onNear()
  }, [isNear, onNear])
  return <Box ref={ref} h={1} />
}

function NotRead({
  problem,
  onRetry,
}: {
  problem: Parameters<ReturnType<typeof useProblemText>>[0]
  onRetry: () => void
}) {
  const { t } = useTranslation('common')
  const text = useProblemText()
  return (
    <div role="alert" className={styles.end}>
      <p>{text(problem)}</p>
      <Button onClick={onRetry}>{t('tryAgain')}</Button>
    </div>
  )
}

function Loading({ count }: { count: number }) {
  const { t } = useTranslation('common')
  return (
    <div className={styles.list} aria-busy="true" aria-label={t('loading')}>
      {Array.from({ length: count }, (_, at) => (
        // oxlint-disable-next-line no-array-index-key
        <Skeleton key={at} height={52} />
      ))}
    </div>
  )
}

/** What is read stays where it is when something is put above it: call the returned function just before. */
function useStill(list: RefObject<HTMLElement | null>): () => void {
  const anchor = useRef<{ element: Element; top: number } | null>(null)
  useLayoutEffect(() => {
    if (!anchor.current) return
    const { element, top } = anchor.current
    if (!element.isConnected) return
    anchor.current = null
    window.scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' })
  })
  return useCallback(() => {
    const element = [...(list.current?.querySelectorAll('[data-event]') ?? [])].find(
      (child) => child.getBoundingClientRect().bottom > 0,
    )
    anchor.current = element ? { element, top: element.getBoundingClientRect().top } : null
  }, [list])
}

/** The events that pass the filters, as far as one has scrolled; what comes while one reads is put on top of them. */
function useEvents(filters: Filters, before: () => void) {
  const client = useQueryClient()
  const query = useInfiniteQuery(eventsQuery(filters))
  useAccountLine()
  const newest = useFeed()?.newest
  const isHeld = query.data !== undefined
  const isReading = query.isFetchingNextPage
  useEffect(() => {
    // A page that is under way puts itself in the place of all that is held: what is new is read when it has come.
    // A lost line says itself that it is lost; the next word of it comes here again.
    if (isHeld && newest && !isReading) readHead(client, filters, { newest, before }).catch(() => undefined)
  }, [client, filters, before, newest, isHeld, isReading])
  return {
    events: useMemo(() => eventsIn(query.data), [query.data]),
    isPending: query.isPending,
    problem: query.isError ? problemOf(query.error) : null,
    retry: () => void (isHeld ? query.fetchNextPage() : query.refetch()),
    hasMore: query.hasNextPage,
    isReading,
    more: () => {
      if (query.hasNextPage && !query.isFetchingNextPage && !query.isError) void query.fetchNextPage()
    },
  }
}

/** While the first event is on the screen of somebody who looks, nothing is unseen. */
function useSeen(isTopSeen: boolean): void {
  const { unseen_printer_events: unseen } = useUser()
  const [isLooking, setIsLooking] = useState(!document.hidden)
  useEffect(() => {
    const look = () => setIsLooking(!document.hidden)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  useEffect(() => {
    if (!isTopSeen || !isLooking || unseen === 0) return
    // The account's line says what came of it, on every page that is open.
    markSeen().catch(() => undefined)
  }, [isTopSeen, isLooking, unseen])
}

/** How many events stand above the one that was the first while the top was last seen. */
function useAbove(ids: readonly number[], isTopSeen: boolean): number {
  const [first, setFirst] = useState<number>()
  const top = ids[0]
  useEffect(() => {
    if (isTopSeen || first === undefined || !ids.includes(first)) setFirst(top)
  }, [isTopSeen, top, first, ids])
  return first === undefined ? 0 : Math.max(0, ids.indexOf(first))
}
