import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconHistory } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { PrintTotals } from '@vigil/contract/prints/prints.ts'
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useId } from '../../../lib/address.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { lengthOf } from '../../../lib/format.ts'
import type { Verdict } from '../../../lib/thumbs.ts'
import { toast } from '../../../lib/toast.ts'
import { useSelection } from '../../../lib/useSelection.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { useErrorDialog } from '../../../ui/useErrorDialog.tsx'
import { VirtualLines } from '../../../ui/VirtualLines.tsx'
import { isFiltering } from './filters.ts'
import { answer } from './history.api.ts'
import styles from './History.module.css'
import { HistoryHead, type View } from './HistoryHead.tsx'
import { ListEnd, Loading } from './ListEnd.tsx'
import { type Entry, type Line, linesOf } from './listing.ts'
import { PrintCard } from './PrintCard.tsx'
import { PrintRow } from './PrintRow.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { useHistory } from './useHistory.ts'
import { useMonthText } from './useTexts.ts'

const CARD_MIN = 300
const GAP = 18
/** What stands below a card's picture, and how high other lines are, in pixels: History.module.css. */
const CARD_BODY = 150
const MONTH = 50
const HEADS = 38
const ROW = { wide: 66, narrow: 132 }

/** What the last list measured: the next one begins with it, so that its first drawing has its height. */
let lastWidth = 0

/** How many cards stand side by side in a place, and how high lines are before they are seen. */
function useColumns(view: 'rows' | 'cards'): {
  ref: RefObject<HTMLDivElement | null>
  columns: number
  heightOf: (line: Line) => number
  isMeasured: boolean
} {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(lastWidth)
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const hasHeads = useMediaQuery('(min-width: 1180px)', false, { getInitialValueInEffect: false })
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const measure = () => {
      lastWidth = element.clientWidth
      setWidth(lastWidth)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const columns = view === 'cards' ? Math.max(1, Math.floor((width + GAP) / (CARD_MIN + GAP))) : 1
  const heightOf = useMemo(() => {
    const card = ((width - GAP * (columns - 1)) / columns) * (9 / 16) + CARD_BODY + GAP
    const row = isNarrow ? ROW.narrow : ROW.wide
    return (line: Line) => {
      if ('month' in line) return view === 'rows' && hasHeads ? MONTH + HEADS : MONTH
      return view === 'cards' ? card : row
    }
  }, [view, width, columns, isNarrow, hasHeads])
  return { ref, columns, heightOf, isMeasured: width > 0 }
}

/** The prints that are over: filters, totals, and a list that goes on for as long as there are any. */
export function History({ view }: { view: View }) {
  const { t } = useTranslation('history')
  const id = useId()
  const meant = Number.isSafeInteger(id) ? id : undefined
  const history = useHistory(meant)
  // brought into view once: who asks for another order or for fewer prints begins at the top
  const [reached, setReached] = useState<number>()
  const onTarget = useCallback(() => setReached(meant), [meant])
  usePrintersError(history.printersError)
  const { entries, isWhole, isPending, problem, filters } = history
  if (problem) return <NotLoaded title={t('failed')} problem={problem} onRetry={history.retry} />
  const isEmpty = isWhole && entries.length === 0
  return (
    <>
      <HistoryHead view={view} history={history} />
      {isPending && <Loading view={view} />}
      {isEmpty && (
        <Notice
          picture={<IconHistory size={40} stroke={1.25} />}
          title={t('empty')}
          actions={isFiltering(filters) && <Button onClick={history.reset}>{t('reset')}</Button>}
        />
      )}
      {!isPending && !isEmpty && (
        <Prints
          view={view}
          history={history}
          meant={meant}
          target={meant === reached ? undefined : meant}
          onTarget={onTarget}
        />
      )}
    </>
  )
}

/** Said once where the printers to choose from can't be had. */
function usePrintersError(error: Error | null): void {
  const say = useRef(useErrorDialog())
  const message = useMessages()
  const text = message('printerFetchFailed')
  const failed = error !== null
  useEffect(() => {
    if (failed) say.current(text)
  }, [failed, text])
}

interface PrintsProps {
  view: View
  history: ReturnType<typeof useHistory>
  /** Which print stands out, and whether it is still to be brought into view. */
  meant: number | undefined
  target: number | undefined
  onTarget: () => void
}

function Prints({ view, history, meant, target, onTarget }: PrintsProps) {
  const { t } = useTranslation('history')
  const { entries, totals, isWhole, more, moreProblem, retryMore, readAll } = history
  const { ref, columns, heightOf, isMeasured } = useColumns(view)
  const lines = useMemo(() => linesOf(entries, columns), [entries, columns])
  const ids = useMemo(() => entries.map(({ print }) => print.id), [entries])
  const { selected, chosen, select, selectNone, selectThese } = useSelection(ids)
  const onAnswer = useAnswer()
  const Shown = view === 'cards' ? PrintCard : PrintRow
  const drawn = (entry: Entry) => {
    const { id } = entry.print
    const how = { selected: selected.has(id), meant: id === meant, onSelect: select, onAnswer }
    return <Shown key={id} entry={entry} {...how} />
  }
  const byId = useMemo(() => new Map(entries.map(({ print }) => [print.id, print])), [entries])
  return (
    <div ref={ref} data-choosing={chosen.length > 0 || undefined}>
      <VirtualLines
        label={t(`title.${view}`)}
        lines={lines}
        heightOf={heightOf}
        onNearEnd={more}
        target={isMeasured ? lineOf(lines, target) : undefined}
        onTarget={onTarget}
        className={styles.line}
        render={(line) =>
          'month' in line ? (
            <>
              <MonthLine month={line.month} totals={totals} />
              {view === 'rows' && <Heads />}
            </>
          ) : (
            <Across view={view} columns={columns}>
              {line.entries.map(drawn)}
            </Across>
          )
        }
      />
      <ListEnd isWhole={isWhole} problem={moreProblem} onRetry={retryMore} />
      <SelectionBar
        chosen={chosen.flatMap((id) => byId.get(id) ?? [])}
        all={totals?.count ?? 0}
        onAll={async () => selectThese((await readAll()).map(({ print }) => print.id))}
        onNone={selectNone}
      />
    </div>
  )
}

/** The line in which a print stands. */
function lineOf(lines: readonly Line[], id: number | undefined): string | undefined {
  if (id === undefined) return undefined
  return lines.find((line) => 'entries' in line && line.entries.some(({ print }) => print.id === id))?.key
}

/** Tells the server how a print went, and says so when that did not work. */
function useAnswer(): (id: number, verdict: Verdict) => void {
  const { t } = useTranslation('history')
  const client = useQueryClient()
  return useCallback(
    (id, verdict) => void answer(client, id, verdict).catch(() => toast(t('answerFailed'), 'failed')),
    [client, t],
  )
}

/** What stands in each column, where there is room for columns; who hears the list hears it in each row. */
function Heads() {
  const { t } = useTranslation('history')
  return (
    <div className={styles.heads} aria-hidden>
      <span />
      <span />
      {(['print', 'result', 'ended', 'took', 'filament', 'saw'] as const).map((name) => (
        <span key={name}>{t(`heads.${name}`)}</span>
      ))}
    </div>
  )
}

/** The quiet heading of a month, with what it comes to. */
function MonthLine({ month, totals }: { month: string; totals: PrintTotals | undefined }) {
  const { t } = useTranslation('history')
  const { duration } = useTimeText()
  const monthText = useMonthText()
  const sums = totals?.months.find((each) => each.month === month)
  return (
    <div className={styles.month}>
      <h2>{monthText(month)}</h2>
      {sums && (
        <span>
          {[
            t('month.prints', { count: sums.count }),
            duration(sums.print_time),
            lengthOf(sums.filament_used),
          ].join(' · ')}
        </span>
      )}
    </div>
  )
}

/** The cards or rows that stand side by side. */
function Across({ view, columns, children }: { view: View; columns: number; children: ReactNode }) {
  return (
    <div
      className={view === 'cards' ? styles.cards : undefined}
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {children}
    </div>
  )
}

/** The prints that are over, in rows. */
export function HistoryScreen() {
  return <History view="rows" />
}

/** The same as cards that play their time-lapses. */
export function TimelapsesScreen() {
  return <History view="cards" />
}
