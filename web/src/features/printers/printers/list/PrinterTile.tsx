import { ActionIcon, Popover } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconCamera, IconEye, IconEyeOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo, type PointerEvent, useRef } from 'react'
import { useTranslation } from '../../../../lib/translation.ts'
import { degrees, percent } from '../../../../lib/format.ts'
import { useLine } from '../../../../lib/line.ts'
import { paths } from '../../../../lib/paths.ts'
import { useOnScreen } from '../../../../lib/useOnScreen.ts'
import { MiniGauge } from '../../../../ui/Gauge.tsx'
import { StatusMark } from '../../../../ui/StatusMark.tsx'
import { useTimeText } from '../../../../ui/time.tsx'
import { mainCamera } from '../../../../printer/camera/camera.ts'
import { useCameraVideo } from '../../../../printer/camera/useCameraVideo.ts'
import { PlayButton, VideoTags } from '../../../../video/index.ts'
import { CameraPicture } from '../../../../printer/camera/CameraPicture.tsx'
import { useTransition } from '../../../../printer/useTransition.ts'
import type { Watching } from '../../../../printer/watching.ts'
import { useWords } from '../../../../printer/words.ts'
import { useSeen } from '../../../../printer/live/account-line.ts'
import { isSameFace, type TileFace, tileFace } from './face.ts'
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
export const PrinterTile = memo(function PrinterTile({ printer, first, peeked, ...rest }: PrinterTileProps) {
  const ref = useRef<HTMLLIElement>(null)
  const { near } = useNear(ref, first)
  const held = useRef(printer)
  if (near) held.current = printer
  const transition = useTransition(held.current)
  useSeen(printer.id, useOnScreen(ref, '0px'))
  const face = tileFace(held.current, transition)
  return (
    <li ref={ref} className={styles.tile} data-tone={face.tone} data-selected={rest.selected || undefined}>
      <Tile face={face} peeked={peeked} {...rest} />
      {peeked && <Peek printer={printer} onClose={() => rest.onPeek(null, true)} />}
    </li>
  )
})

interface TileProps extends Omit<PrinterTileProps, 'printer' | 'first'> {
  face: TileFace
}

/** Drawn again only when what it shows has changed: a farm has a hundred of them, and each reports every second. */
const Tile = memo(
  function Tile({ face, selected, peeked, onSelect, onPeek }: TileProps) {
    const words = useWords()
    const { id, name, completion } = face

    function onPointer(event: PointerEvent) {
      if (event.pointerType === 'mouse') onPeek(event.type === 'pointerenter' ? id : null, false)
    }

    return (
      <div
        className={styles.inner}
        data-live
        onPointerEnter={onPointer}
        onPointerLeave={onPointer}
        onKeyDown={(event) => event.key === 'Escape' && onPeek(null, true)}
      >
        <div className={styles.head}>
          <StatusMark shape={face.shape} tone={face.tone} size={14} />
          <Link to={paths.control(id)} className={styles.name} title={name}>
            {name}
          </Link>
        </div>
        <div className={styles.line}>
          <span className={styles.state}>{words.state(face.word)}</span>
          {completion !== null && <strong>{percent(completion)}</strong>}
        </div>
        <div className={styles.track} data-empty={completion === null || undefined}>
          {completion !== null && <span style={{ width: `${completion}%` }} />}
        </div>
        <TileNote face={face} />
        <Tools face={face} selected={selected} peeked={peeked} onSelect={onSelect} onPeek={onPeek} />
      </div>
    )
  },
  ({ face: a, ...before }, { face: b, ...after }) =>
    before.selected === after.selected &&
    before.peeked === after.peeked &&
    before.onSelect === after.onSelect &&
    before.onPeek === after.onPeek &&
    isSameFace(a, b),
)

/** The last line: an open alert, else time left and the gauge, or what an idle printer has to tell. */
function TileNote({ face: { alert, leftS, heaters, seenAt, watch } }: { face: TileFace }) {
  const { t } = useTranslation('printers')
  const { t: grid } = useTranslation('grid')
  const words = useWords()
  const { duration, moment } = useTimeText()
  if (alert)
    return (
      <div className={styles.note} data-alert>
        <span className={styles.noteText}>{t('state.alertOpen')}</span>
        {watch && <WatchSign now={watch} />}
      </div>
    )
  if (!watch)
    return <div className={styles.note}>{seenAt ? grid('tile.seen', { moment: moment(seenAt) }) : ''}</div>
  const heat = heaters.map((heater) => `${words.heater(heater)} ${degrees(heater.actual)}`)
  return (
    <div className={styles.note}>
      <span className={styles.noteText}>
        {leftS === null ? heat.join(' · ') : t('timeLeft', { duration: duration(leftS) })}
      </span>
      <WatchSign now={watch} />
    </div>
  )
}

/** Calm while all is well: an eye. The gauge shows when there is something to see. */
function WatchSign({ now }: { now: Watching }) {
  const { t } = useTranslation('printers')
  const words = useWords()
  const { lost } = useLine()
  if (lost && (now.kind === 'verdict' || now.kind === 'starting'))
    return (
      <span className={styles.sign} title={t('watch.unheard')}>
        <MiniGauge value={null} />
        <span className={styles.hidden}>{t('watch.unheard')}</span>
      </span>
    )
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
  const video = useCameraVideo(printer, mainCamera(printer.settings), true)
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
        <CameraPicture
          printer={printer}
          frameRatio={16 / 9}
          video={video}
          topLeft={<VideoTags video={video} brief />}
          bottomLeft={<PlayButton video={video} small />}
        />
        {printer.status && <WatchLine printer={printer} />}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Shows its camera, and chooses it. */
function Tools({ face: { id, name }, selected, peeked, onSelect, onPeek }: TileProps) {
  const { t } = useTranslation('grid')
  const range = useRef(false)
  return (
    <span className={styles.tools}>
      <ActionIcon
        size={28}
        className={styles.camera}
        aria-label={t('tile.camera', { name })}
        aria-expanded={peeked}
        onClick={() => onPeek(peeked ? null : id, true)}
      >
        <IconCamera size={16} stroke={1.75} />
      </ActionIcon>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={selected}
          aria-label={t('tile.select', { name })}
          onClick={(event) => {
            range.current = event.shiftKey
          }}
          onChange={(event) => onSelect(id, event.currentTarget.checked, range.current)}
        />
      </label>
    </span>
  )
}
