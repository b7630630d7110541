import { ActionIcon, Popover } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers.ts'
import { IconCamera, IconEye, IconEyeOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo, type PointerEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { degrees, ms, percent } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useOnScreen } from '../../../lib/useOnScreen.ts'
import { MiniGauge } from '../../../ui/Gauge.tsx'
import { StatusMark } from '../../../ui/StatusMark.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { CameraPicture } from '../CameraPicture.tsx'
import { shownState } from '../state.ts'
import { readStatus } from '../status.ts'
import { useTransition } from '../useTransition.ts'
import { watching } from '../watching.ts'
import { useWords } from '../words.ts'
import { useSeen } from './accountLine.ts'
import styles from './TileGrid.module.css'
import { useNear } from './useNear.ts'
import { WatchLine } from './WatchLine.tsx'

interface PrinterTileProps {
  printer: Printer
  first: boolean
  selected: boolean
  /** Its camera is shown beside it. */
  peeked: boolean
  onSelect: (id: number, selected: boolean, range: boolean) => void
  /** `pinned`: asked for with a press, so it stays until it is closed. */
  onPeek: (id: number | null, pinned: boolean) => void
}

/** One printer among many: its state by shape, colour and word, how far it is, and whether it is watched. */
export const PrinterTile = memo(function PrinterTile(props: PrinterTileProps) {
  const { printer, first, selected } = props
  const ref = useRef<HTMLLIElement>(null)
  const { near } = useNear(ref, first)
  const held = useRef(printer)
  if (near) held.current = printer
  const { tone } = shownState(held.current, null)
  return (
    <li ref={ref} className={styles.tile} data-tone={tone} data-selected={selected || undefined}>
      <Tile {...props} printer={held.current} place={ref} />
    </li>
  )
})

interface TileProps extends PrinterTileProps {
  place: React.RefObject<HTMLElement | null>
}

const Tile = memo(function Tile({ printer, selected, peeked, onSelect, onPeek, place }: TileProps) {
  const { t } = useTranslation('grid')
  const words = useWords()
  useSeen(printer.id, useOnScreen(place, '0px'))
  const transition = useTransition(printer)
  const { word, shape, tone } = shownState(printer, transition)
  const range = useRef(false)
  const completion = printer.current_print ? (readStatus(printer)?.completion ?? null) : null

  function onPointer(event: PointerEvent) {
    if (event.pointerType === 'mouse') onPeek(event.type === 'pointerenter' ? printer.id : null, false)
  }

  return (
    <div
      className={styles.inner}
      onPointerEnter={onPointer}
      onPointerLeave={onPointer}
      onKeyDown={(event) => event.key === 'Escape' && onPeek(null, true)}
    >
      <div className={styles.head}>
        <StatusMark shape={shape} tone={tone} size={14} />
        <Link to={paths.control(printer.id)} className={styles.name} title={printer.name}>
          {printer.name}
        </Link>
      </div>
      <div className={styles.line}>
        <span className={styles.state}>{words.state(word)}</span>
        {completion !== null && <strong>{percent(completion)}</strong>}
      </div>
      <div className={styles.track} data-empty={completion === null || undefined}>
        {completion !== null && <span style={{ width: `${Math.min(100, Math.max(0, completion))}%` }} />}
      </div>
      <TileNote printer={printer} />
      <span className={styles.tools}>
        <ActionIcon
          size={28}
          className={styles.camera}
          aria-label={t('tile.camera', { name: printer.name })}
          aria-expanded={peeked}
          onClick={() => onPeek(peeked ? null : printer.id, true)}
        >
          <IconCamera size={16} stroke={1.75} />
        </ActionIcon>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={selected}
            aria-label={t('tile.select', { name: printer.name })}
            onClick={(event) => {
              range.current = event.shiftKey
            }}
            onChange={(event) => onSelect(printer.id, event.currentTarget.checked, range.current)}
          />
        </label>
      </span>
      {peeked && <Peek printer={printer} onClose={() => onPeek(null, true)} />}
    </div>
  )
})

/** The last line: time left and the gauge, or what an idle printer has to tell. */
function TileNote({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const { t: grid } = useTranslation('grid')
  const words = useWords()
  const { duration, moment } = useTimeText()
  const reading = readStatus(printer)
  const seenAt = ms(printer.agent.last_seen_at)
  if (!reading)
    return <div className={styles.note}>{seenAt ? grid('tile.seen', { moment: moment(seenAt) }) : ''}</div>
  const left =
    printer.current_print && reading.leftS !== null && !reading.paused ? duration(reading.leftS) : null
  const heat = reading.heaters
    .slice(0, 2)
    .map((heater) => `${words.heater(heater)} ${degrees(heater.actual)}`)
  return (
    <div className={styles.note}>
      <span className={styles.noteText}>
        {printer.current_print ? (left ? t('timeLeft', { duration: left }) : '') : heat.join(' · ')}
      </span>
      <WatchSign printer={printer} />
    </div>
  )
}

/** Calm while all is well: an eye. The gauge shows when there is something to see. */
function WatchSign({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const words = useWords()
  const now = watching(printer)
  if (now.kind === 'blind')
    return (
      <span
        className={styles.sign}
        data-blind
        title={`${t('watch.blind')} · ${words.reason(now.code, now.said)}`}
      >
        <IconEyeOff size={16} stroke={1.75} aria-hidden />
        <span className={styles.hidden}>{t('watch.blind')}</span>
      </span>
    )
  if (now.kind !== 'verdict') return null
  const verdict = t(`band.${now.band}`)
  return (
    <span className={styles.sign} title={verdict}>
      {now.band === 'good' ? (
        <IconEye size={16} stroke={1.75} aria-hidden />
      ) : (
        <MiniGauge value={now.value} />
      )}
      <span className={styles.hidden}>{verdict}</span>
    </span>
  )
}

function Peek({ printer, onClose }: { printer: Printer; onClose: () => void }) {
  const { t } = useTranslation('grid')
  return (
    <Popover
      opened
      position="right"
      offset={10}
      width={320}
      shadow="md"
      trapFocus={false}
      returnFocus={false}
      onChange={(opened) => !opened && onClose()}
    >
      <Popover.Target>
        <span className={styles.anchor} aria-hidden />
      </Popover.Target>
      <Popover.Dropdown className={styles.peek} aria-label={t('tile.camera', { name: printer.name })}>
        <CameraPicture printer={printer} frameRatio={16 / 9} />
        {printer.status && <WatchLine printer={printer} />}
      </Popover.Dropdown>
    </Popover>
  )
}
