import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconChecklist, IconStack2 } from '@tabler/icons-react'
import { useQuery, queryOptions } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Args } from '@vigil/contract/endpoint.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { type Print, listPrints } from '@vigil/contract/prints/prints.ts'
import { useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useQueryValues } from '../../../lib/address.ts'
import { call } from '../../../lib/call.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import type { PlayerHandle } from '../../../player/index.ts'
import { readStatus } from '../../../printer/status.ts'
import { Column, Columns } from '../../../ui/Columns.tsx'
import { DetectionHours } from '../../../ui/DetectionHours.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { StatusPill } from '../../../ui/StatusMark.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { FirstLayerPanel } from '../../watch/feedback/index.ts'
import { OfferToGallery } from '../gallery/index.ts'
import { useHistoryQuery } from '../history/index.ts'
import { ReplayLink } from '../replay/index.ts'
import { Actions } from './Actions.tsx'
import { AlertCard } from './AlertCard.tsx'
import { FileDetails } from './FileDetails.tsx'
import { Judgement } from './Judgement.tsx'
import { isRunning } from './lapse.rules.ts'
import { Lapse } from './Lapse.tsx'
import { Playhead } from './playhead.ts'
import { PrintFacts } from './PrintFacts.tsx'
import styles from './PrintPage.module.css'
import { indexOf, siblingsOf, spanOf } from './siblings.ts'
import { Temperatures } from './Temperatures.tsx'
import { useFigures } from './useFigures.ts'
import { usePrinterOf } from './usePrinterOf.ts'

type Query = Omit<Args<typeof listPrints>['query'], 'start' | 'limit'>

/** A few rows of the history. */
const siblingsQuery = (query: Query, span: { start: number; limit: number }) =>
  queryOptions({
    queryKey: ['prints', 'siblings', query, span] as const,
    queryFn: () => call(listPrints, { query: { ...query, ...span } }),
  })

/** The prints beside this one in the history, as it is filtered and sorted there. */
function Siblings({ print }: { print: Print }) {
  const { t } = useTranslation('print-page')
  const index = indexOf(useQueryValues()['index'])
  const query = useHistoryQuery()
  const { data } = useQuery({ ...siblingsQuery(query, spanOf(index ?? 0)), enabled: index !== null })
  const found = index === null || !data ? null : siblingsOf(data, print.id, index)
  if (index === null || found === null) return null
  const rises = query.sorting === 'date_asc'
  const sides = [
    { side: 'before', to: found.before, at: index - 1, word: rises ? 'older' : 'newer' },
    { side: 'after', to: found.after, at: index + 1, word: rises ? 'newer' : 'older' },
  ] as const
  return (
    <nav className={styles.siblings} aria-label={t('siblings.label')}>
      {sides.map(({ side, to, at, word }) =>
        to === null ? (
          <span key={side} />
        ) : (
          <Link key={side} to={paths.print(to.id)} search={{ index: String(at) }} data-side={side}>
            <span>
              {side === 'before' && <IconChevronLeft size={15} stroke={2} />}
              {t(`siblings.${word}`)}
              {side === 'after' && <IconChevronRight size={15} stroke={2} />}
            </span>
            <bdi>{to.filename}</bdi>
          </Link>
        ),
      )}
    </nav>
  )
}

/** One print, whole: its film over one time axis, what Vigil made of it, the facts beside it. */
export function PrintPage({ print }: { print: Print }) {
  const { t } = useTranslation('print-page')
  const handle = useRef<PlayerHandle>(null)
  const [playhead] = useState(() => new Playhead())
  const printer = usePrinterOf(print)
  const figures = useFigures(print)
  useTitle(print.filename)
  return (
    <>
      <PageHeader
        back={{ to: paths.history, label: t('back') }}
        title={<bdi>{print.filename}</bdi>}
        note={
          <>
            <Result print={print} printer={printer.data} />
            <WhereAndWhen print={print} />
            <DetectionHours />
          </>
        }
        actions={<Actions print={print} printer={printer.data} />}
      />
      <Columns>
        <Column>
          <div className={styles.film}>
            <Lapse print={print} figures={figures} playhead={playhead} handle={handle} />
          </div>
          <Temperatures
            print={print}
            times={figures.times}
            playhead={playhead}
            onSeek={(position) => handle.current?.seek(position)}
          />
          <Under print={print} />
        </Column>
        <Column>
          <div className={styles.alert}>
            <AlertCard print={print} printer={printer.data} />
          </div>
          <div className={styles.judge}>
            <Judgement print={print} printer={printer.data} figures={figures} playhead={playhead} />
          </div>
          <PrintFacts print={print} printer={printer} />
          <FileDetails print={print} printer={printer.data} />
          <Siblings print={print} />
        </Column>
      </Columns>
    </>
  )
}

/** `Prusa in the attic · 18 Nov 02:14`. */
function WhereAndWhen({ print }: { print: Print }) {
  const { t } = useTranslation('print-page')
  const { moment } = useTimeText()
  const at = ms(print.started_at ?? print.uploaded_at)
  const name = print.printer?.name ?? (print.uploaded_at ? t('uploaded') : null)
  return <span>{[name, at === null ? null : moment(at)].filter(Boolean).join(' · ')}</span>
}

/** How a print stands, by shape and word: what is over never changes, what runs is as its printer says. */
function Result({ print, printer }: { print: Print; printer: Printer | undefined }) {
  const { t } = useTranslation('print-page')
  if (print.uploaded_at !== null)
    return (
      <StatusPill shape="dot" tone="quiet">
        {t('status.uploaded')}
      </StatusPill>
    )
  if (isRunning(print)) {
    const paused = isPaused(printer, print)
    return (
      <StatusPill shape={paused ? 'bars' : 'ring'} tone={paused ? 'warn' : 'accent'}>
        {t(paused ? 'status.paused' : 'status.printing')}
      </StatusPill>
    )
  }
  if (print.cancelled_at !== null)
    return (
      <StatusPill shape="cross" tone="quiet">
        {t('status.cancelled')}
      </StatusPill>
    )
  return (
    <StatusPill shape="dot" tone="good">
      {t('status.finished')}
    </StatusPill>
  )
}

/** Whether it stands still: the printer says so, or where it says nothing what Vigil last knew. */
function isPaused(printer: Printer | undefined, print: Print): boolean {
  const reading = printer && printer.current_print?.id === print.id ? readStatus(printer) : null
  return reading ? reading.paused : print.paused_by !== null
}

/** Where an owner can say more: about single pictures, and about the first layer. */
function FeedbackLinks({ print }: { print: Print }) {
  const { t } = useTranslation('print-page')
  const { settings } = useBootstrap()
  const shots = print.printshotfeedback_set
  const hasLayers = print.firstlayerinspection_set.some(({ images }) => images.length > 0)
  if (shots.length === 0 && !hasLayers) return null
  const open = shots.filter(({ answered_at }) => answered_at === null).length
  return (
    <Panel title={t('feedback.title')}>
      {shots.length > 0 && (
        <p className={styles.quiet}>
          {t(open > 0 ? 'feedback.shots' : 'feedback.shotsDone', { count: open })}
          {open > 0 && settings.IS_ENT && ` ${t('feedback.shotsEarn')}`}
        </p>
      )}
      <div className={styles.links}>
        {shots.length > 0 && (
          <Button
            leftSection={<IconChecklist size={17} stroke={1.75} />}
            renderRoot={(props) => <Link {...props} to={paths.shotFeedback(print.id)} />}
          >
            {t('feedback.shotsAction')}
          </Button>
        )}
        {hasLayers && (
          <Button
            leftSection={<IconStack2 size={17} stroke={1.75} />}
            renderRoot={(props) => (
              <Link {...props} to={paths.firstLayerSurvey} search={{ print_id: String(print.id) }} />
            )}
          >
            {t('feedback.layerAction')}
          </Button>
        )}
      </div>
    </Panel>
  )
}

function Under({ print }: { print: Print }) {
  return (
    <div className={styles.under}>
      <FirstLayerPanel print={print} />
      <FeedbackLinks print={print} />
      {print.ended_at && <ReplayLink printId={print.id} />}
      <OfferToGallery print={print} />
    </div>
  )
}
