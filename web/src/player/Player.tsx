import { Box, Group, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../lib/translation.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { useStoredChoice } from '../lib/stored.ts'
import { PictureTag } from '../ui/PictureTag.tsx'
import { useFullScreen } from '../ui/useFullScreen.ts'
import { Controls } from './Controls.tsx'
import shared from '../ui/shared.module.css'
import styles from './Player.module.css'
import { frameAt, gapsOf, scoresOf, timesOf, type Unseen } from './predictions.ts'
import { ScoreGauge } from './ScoreGauge.tsx'
import { type Mark, Scrubber } from './Scrubber.tsx'
import { type Still, Stills, stillSecondsOf, type Turn, turned } from './Stills.tsx'
import { type Playback, usePlayback } from './usePlayback.ts'

/** So many pictures stand side by side at most. */
const MOST = 12

interface StripProps {
  frames: readonly Still[]
  turn: Turn | undefined
  position: number
  onSeek: (position: number) => void
}

/** A few of the pictures along the time axis; a click goes there. The keyboard has the axis for that. */
function Strip({ frames, turn, position, onSeek }: StripProps) {
  const count = Math.min(MOST, frames.length)
  const now = Math.min(count - 1, Math.floor(position * count))
  return (
    <div className={styles.strip} aria-hidden>
      {Array.from({ length: count }, (_, at) => {
        const middle = (at + 0.5) / count
        const frame = frames[frameAt(frames.length, middle)]
        return (
          <button
            key={middle}
            type="button"
            tabIndex={-1}
            data-now={at === now || undefined}
            onClick={() => onSeek(middle)}
          >
            <img
              src={frame?.url}
              alt=""
              loading="lazy"
              draggable={false}
              style={{ transform: turned(turn).transform }}
            />
          </button>
        )
      })}
    </div>
  )
}

const VIEWS = ['both', 'plain', 'detective'] as const
type View = (typeof VIEWS)[number]

/** So much of a window has room for two pictures side by side. */
const WIDE = '(min-width: 48em)'
/** Where no frames are known, the arrow keys step through so many places. */
const STEPS_WITHOUT_FRAMES = 100
const NONE: readonly never[] = []

export interface PlayerHandle {
  /** Goes to a position, 0 to 1. */
  seek(position: number): void
}

export interface PlayerProps {
  /** What it is of, for labels and the name of the file. */
  name: string
  /** The time-lapse as it was filmed. */
  videoUrl: string | null
  /** The same with what was found drawn on it. */
  taggedVideoUrl?: string | null
  posterUrl?: string | null
  /** The prediction JSON, one element for each frame; those of public time-lapses too. Keep its identity. */
  predictions?: readonly unknown[]
  /** Pictures in order, played where there is no video; shown below the curve where there is. Keep their identity. */
  frames?: readonly Still[]
  /** How the still pictures are turned to be seen upright. */
  turn?: Turn
  /** Stands in the Detective view while there is no such video: it is being made, or why there is none. */
  detective?: ReactNode
  /** When nobody looked, and why. Keep its identity. */
  unseen?: readonly Unseen[]
  /** What happened when, on the time axis; the first is offered as the alert. */
  marks?: readonly Mark[]
  /** False: whoever sees it may not keep it. */
  canDownload?: boolean
  /** False: the page shows `ScoreGauge` elsewhere. */
  withGauge?: boolean
  /** Said in the head, left of the choice of views. */
  title?: ReactNode
  /** True: whoever opened it has pressed play already. */
  autoPlay?: boolean
  /** Where it stands when it is opened, 0 to 1; undefined while that is not known. */
  opensAt?: number | undefined
  /** Told 0 to 1 whenever it changes. */
  onPosition?: (position: number) => void
  handle?: Ref<PlayerHandle>
}

/** Plays a time-lapse, plain and with what Vigil saw, over one time axis with the score's curve. */
export function Player(props: PlayerProps) {
  const { videoUrl, predictions = NONE, frames = NONE, marks = NONE, withGauge = true, onPosition } = props
  const ref = useRef<HTMLDivElement>(null)
  const full = useFullScreen(ref)
  const tagged = props.taggedVideoUrl ?? null
  const hasFilm = videoUrl !== null || tagged !== null
  const playback = usePlayback(hasFilm ? 0 : stillSecondsOf(frames.length))
  const { position, seek } = playback
  const scores = useMemo(() => scoresOf(predictions), [predictions])
  const times = useMemo(() => timesOf(predictions), [predictions])
  const { unseen = NONE } = props
  const gaps = useMemo(() => gapsOf(scores, times, unseen), [scores, times, unseen])
  const steps = scores.length || frames.length || STEPS_WITHOUT_FRAMES
  const hasDetective =
    (hasFilm ? tagged !== null : frames.some(({ taggedUrl }) => taggedUrl)) || Boolean(props.detective)
  const [view, setView, views] = useView(hasDetective, hasFilm ? videoUrl !== null : true)

  useShortcut('fullScreen', full.toggle)
  useShortcut('play', playback.toggle)
  useImperativeHandle(props.handle, () => ({ seek }), [seek])
  useEffect(() => onPosition?.(position), [onPosition, position])
  useAutoPlay(playback, props.autoPlay ?? false)
  useOpening(playback, props.opensAt)

  const download = view === 'detective' ? (tagged ?? videoUrl) : (videoUrl ?? tagged)
  const canDownload = download !== null && props.canDownload !== false
  return (
    <div className={styles.player} ref={ref} data-full={full.isFull || undefined}>
      <Head title={props.title} view={view} views={views} onView={setView} />
      <div className={styles.stage} data-both={view === 'both' || undefined}>
        {(view === 'both' ? (['plain', 'detective'] as const) : [view]).map((one) => (
          <Picture key={one} which={one} tag={view === 'both'} player={props} playback={playback} />
        ))}
      </div>
      <Controls
        playback={playback}
        frames={steps}
        marks={marks}
        full={full}
        download={canDownload ? { href: download, name: `${props.name}.mp4` } : null}
      />
      <Scrubber playback={playback} scores={scores} times={times} frames={steps} marks={marks} gaps={gaps} />
      {frames.length > 1 && <Strip frames={frames} turn={props.turn} position={position} onSeek={seek} />}
      {withGauge && scores.length > 0 && <ScoreGauge scores={scores} position={position} />}
    </div>
  )
}

/** Goes there once, unless somebody was quicker. */
function useOpening({ seek, position, isPlaying }: Playback, at: number | undefined): void {
  const done = useRef(false)
  useEffect(() => {
    if (done.current || at === undefined) return
    done.current = true
    if (position === 0 && !isPlaying) seek(at)
  }, [seek, position, isPlaying, at])
}

function useAutoPlay({ toggle, isPlaying }: Playback, wanted: boolean): void {
  const begun = useRef(!wanted)
  useEffect(() => {
    if (begun.current || isPlaying) return
    begun.current = true
    toggle()
  }, [toggle, isPlaying])
}

interface HeadProps {
  title: ReactNode
  view: View
  views: readonly View[]
  onView: (view: View) => void
}

/** What it is, and the choice of views where there is one. */
function Head({ title, view, views, onView }: HeadProps) {
  const { t } = useTranslation('player')
  if (!title && views.length < 2) return null
  return (
    <Group gap="8px 12px" justify="space-between" mih={44} p="8px 12px 8px 16px">
      <div className={shared.label}>{title}</div>
      {views.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label={t('view')}
          data={views.map((value) => ({ value, label: t(`views.${value}`) }))}
          value={view}
          onChange={onView}
        />
      )}
    </Group>
  )
}

/** Which view is shown and which there are: two at once only where there is room. */
function useView(hasDetective: boolean, hasPlain: boolean): [View, (value: View) => void, readonly View[]] {
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false })
  const [chosen, choose] = useStoredChoice('player-view', VIEWS, 'both')
  if (!hasDetective) return ['plain', choose, ['plain']]
  if (!hasPlain) return ['detective', choose, ['detective']]
  const offered = isWide ? VIEWS : (['plain', 'detective'] as const)
  return [offered.find((one) => one === chosen) ?? 'detective', choose, offered]
}

interface PictureProps {
  which: Exclude<View, 'both'>
  /** Says which one it is. */
  tag: boolean
  player: PlayerProps
  playback: ReturnType<typeof usePlayback>
}

/** One of the two pictures: a video, or the still ones. */
function Picture({ which, tag, player, playback }: PictureProps) {
  const { t } = useTranslation('player')
  const { videoUrl, taggedVideoUrl = null, posterUrl, frames = NONE, name } = player
  const label = t(`labels.${which}`, { name })
  const isDetective = which === 'detective'
  const src = isDetective ? taggedVideoUrl : videoUrl
  const urls = useMemo(
    () => frames.map((frame) => (isDetective ? (frame.taggedUrl ?? frame.url) : frame.url)),
    [frames, isDetective],
  )
  const said = tag && <PictureTag>{t(`views.${which}`)}</PictureTag>
  if (src)
    return <Film src={src} poster={posterUrl ?? undefined} label={label} playback={playback} tag={said} />
  if (isDetective && player.detective) return <div className={styles.film}>{player.detective}</div>
  return (
    <Stills
      urls={urls}
      turn={player.turn}
      frame={frameAt(urls.length, playback.position)}
      label={label}
      tag={said}
      onClick={playback.toggle}
    />
  )
}

interface FilmProps {
  src: string
  poster: string | undefined
  label: string
  playback: Playback
  tag: ReactNode
}

/** One video of a time-lapse, led by the player's clock. */
function Film({ src, poster, label, playback, tag }: FilmProps) {
  const { t } = useTranslation('player')
  const ref = useRef<HTMLVideoElement>(null)
  const { join } = playback
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    setFailed(false)
    return ref.current ? join(ref.current) : undefined
  }, [join, src])
  return (
    <div className={styles.film}>
      <video
        ref={ref}
        src={src}
        poster={poster}
        aria-label={label}
        muted
        playsInline
        preload="metadata"
        onClick={playback.toggle}
        onError={() => setFailed(true)}
      />
      {tag && (
        <Box pos="absolute" top={10} left={10}>
          {tag}
        </Box>
      )}
      {failed && (
        <Box component="p" pos="relative" p="8px 14px" bdrs={8} bg="var(--v-camera-tag)" fz={14} role="alert">
          {t('broken')}
        </Box>
      )}
    </div>
  )
}
