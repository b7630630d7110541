import { Loader, Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconEyeOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Zone } from '@vigil/contract/printers/zones.ts'
import type { Replay, ReplayCurve } from '@vigil/contract/prints/replay.ts'
import { useState, useEffect, useRef } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { usePlace } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { mainCamera, orientation } from '../../../printer/camera/camera.ts'
import { useTurn } from '../../../printer/camera/useTurn.ts'
import { printerQuery } from '../../../printer/printers.api.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import type { Orientation } from '../../../ui/Snapshot.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { asShown, asStored, useDrawing, ZonesBoard, ZoneTools } from '../../printers/zones/index.ts'
import { highest } from './curves.ts'
import { Curves } from './Curves.tsx'
import { decidedQuery, replayQuery, runQuery, type Trial, frameQuery } from './replay.api.ts'
import styles from './Replay.module.css'
import { RunPanel } from './RunPanel.tsx'
import { SettingsPanel } from './SettingsPanel.tsx'

/** A camera of which nobody knows how it is turned. */
const UPRIGHT = { flipH: false, flipV: false, rotation: 0, ratio: 16 / 9 } as const

/** How a printer's picture is turned: undefined while that is asked. */
function useTurned(printerId: number | null): Orientation | undefined {
  const { data, error } = useQuery({
    ...printerQuery(printerId ?? 0),
    enabled: printerId !== null,
    retry: false,
  })
  const camera = mainCamera(data?.settings ?? {})
  const [turn] = useTurn(printerId ?? 0, camera)
  if (printerId === null || error) return UPRIGHT
  return data ? orientation(camera, turn) : undefined
}

interface PicturePanelProps {
  replay: Replay
  /** The moment, in seconds since the first look. */
  at: number
  zones: Zone[]
  onZones: (zones: Zone[]) => void
}

/** The stored picture of that moment, with the zones that are tried drawn on it. */
function PicturePanel(props: PicturePanelProps) {
  const { t } = useTranslation('replay')
  const { replay, at } = props
  const turned = useTurned(replay.printer?.id ?? null)
  const { data } = useQuery(frameQuery(replay.print_id, Math.round(at)))
  return (
    <Panel title={t('picture.title')}>
      <p className={styles.lead}>{t('picture.lead')}</p>
      {data?.url && turned ? (
        <Board {...props} src={data.url} turned={turned} />
      ) : (
        <div className={styles.noPicture} aria-busy={data === undefined}>
          {data && !data.url ? t('picture.none') : null}
        </div>
      )}
    </Panel>
  )
}

interface BoardProps extends PicturePanelProps {
  src: string
  turned: Orientation
}

function Board({ src, turned, zones, onZones }: BoardProps) {
  // The picture's turn does not change while it is drawn on.
  const [way] = useState(turned)
  const drawing = useDrawing(
    zones.map((zone) => asShown(zone, way)),
    false,
  )
  const tell = useRef(onZones)
  tell.current = onZones
  const first = useRef(drawing.zones)
  useEffect(() => {
    if (drawing.zones === first.current) return
    first.current = drawing.zones
    tell.current(drawing.zones.map((zone) => asStored(zone, way)))
  }, [drawing.zones, way])
  return (
    <>
      <ZonesBoard src={src} turned={way} drawing={drawing} />
      <div className={styles.tools}>
        <ZoneTools drawing={drawing} canAbandon />
      </div>
    </>
  )
}

/** What is tried is asked about once it stands still for so long. */
const SETTLED_MS = 200

/** A print judged again: the gauge as it was, and as it would be. */
export default function ReplayScreen() {
  const { t } = useTranslation('replay')
  const id = Number(usePlace('id'))
  const { data, error, refetch } = useQuery(replayQuery(id))
  useTitle(t('title'))
  return (
    <>
      <PageHeader title={t('title')} note={data?.filename} back={{ to: paths.print(id), label: t('back') }} />
      {!data && error && (
        <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton height={360} aria-busy="true" />}
      {data && data.was.looks === 0 && (
        <Notice title={t('never')} picture={<IconEyeOff size={40} stroke={1.25} />}>
          {t('neverText')}
        </Notice>
      )}
      {data && data.was.looks > 0 && <Lab key={data.print_id} replay={data} />}
    </>
  )
}

function Lab({ replay }: { replay: Replay }) {
  const { t } = useTranslation('replay')
  const { print_id: id, printer, was, seconds } = replay
  const [at, setAt] = useState(Math.max(0, was.warned ?? seconds / 2))
  const [trial, setTrial] = useState<Trial>({
    sensitivity: printer?.sensitivity ?? 1,
    zones: printer?.zones ?? [],
    withLearnt: printer?.has_learnt ?? false,
    over: 'scores',
  })
  const { data: run } = useQuery(runQuery(id))
  const hasRun = run?.state === 'done'
  const wanted: Trial = { ...trial, over: hasRun ? trial.over : 'scores' }
  const [settled] = useDebouncedValue(JSON.stringify(wanted), SETTLED_MS)
  const tried = JSON.parse(settled) as Trial
  const { data: now, error, isFetching, refetch } = useQuery(decidedQuery(id, tried, run?.done_at ?? null))
  const [seen] = useDebouncedValue(at, SETTLED_MS)
  const change = (part: Partial<Trial>) => setTrial((before) => ({ ...before, ...part }))
  return (
    <div className={styles.lab} data-bare={replay.frames === 0 || undefined}>
      <div className={styles.wide}>
        <Panel
          title={t('curves')}
          aside={isFetching && <Loader size={16} role="img" aria-label={t('deciding')} />}
        >
          <Curves was={was} now={now} seconds={seconds} at={at} onAt={setAt} />
          {error ? (
            <Failed title={t('notDecided')} problem={problemOf(error)} onRetry={() => void refetch()} />
          ) : (
            <Verdicts was={was} now={now} onAt={setAt} />
          )}
          <p className={styles.note}>
            {t(tried.over === 'run' ? 'overRun' : 'overScores', { looks: was.looks })}
          </p>
        </Panel>
      </div>
      {replay.frames > 0 && (
        <PicturePanel replay={replay} at={seen} zones={trial.zones} onZones={(zones) => change({ zones })} />
      )}
      <div className={styles.side}>
        <SettingsPanel replay={replay} trial={wanted} hasRun={hasRun} onTrial={change} />
        <RunPanel replay={replay} />
      </div>
    </div>
  )
}

interface VerdictsProps {
  was: ReplayCurve
  now: ReplayCurve | undefined
  onAt: (seconds: number) => void
}

/** The same in words and numbers; a moment leads there. */
function Verdicts({ was, now, onAt }: VerdictsProps) {
  const { t } = useTranslation('replay')
  return (
    <table className={styles.verdicts}>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('table.warned')}</th>
          <th scope="col">{t('table.paused')}</th>
          <th scope="col">{t('table.highest')}</th>
        </tr>
      </thead>
      <tbody>
        <Row kind="was" curve={was} onAt={onAt} />
        <Row kind="now" curve={now} onAt={onAt} />
      </tbody>
    </table>
  )
}

interface RowProps {
  kind: 'was' | 'now'
  curve: ReplayCurve | undefined
  onAt: (seconds: number) => void
}

function Row({ kind, curve, onAt }: RowProps) {
  const { t } = useTranslation('replay')
  const top = curve && highest(curve)
  return (
    <tr aria-busy={curve === undefined}>
      <th scope="row">
        <span className={styles.key} data-kind={kind} aria-hidden />
        {t(`table.${kind}`)}
      </th>
      <td>
        <Moment at={curve?.warned} onAt={onAt} />
      </td>
      <td>
        <Moment at={curve?.paused} onAt={onAt} />
      </td>
      <td>{top === null || top === undefined ? '–' : Math.round(top)}</td>
    </tr>
  )
}

function Moment({ at, onAt }: { at: number | null | undefined; onAt: (seconds: number) => void }) {
  const { t } = useTranslation('replay')
  const { duration } = useTimeText()
  if (at === undefined) return '…'
  if (at === null) return <span className={styles.never}>{t('table.never')}</span>
  return (
    <button type="button" className={styles.moment} onClick={() => onAt(at)}>
      {duration(Math.max(0, at))}
    </button>
  )
}
