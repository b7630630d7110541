import { ActionIcon, Button, NativeSelect, SegmentedControl } from '@mantine/core'
import {
  IconDownload,
  IconMaximize,
  IconMinimize,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './Player.module.css'
import { frameAt } from './predictions.ts'
import type { Mark } from './Scrubber.tsx'
import { type Rate, RATES } from './clock.ts'
import type { Playback } from './usePlayback.ts'

interface ControlsProps {
  playback: Playback
  frames: number
  marks: readonly Mark[]
  full: { isFull: boolean; toggle: () => void }
  download: { href: string; name: string } | null
}

/** `0:27`. */
const clock = (seconds: number) => {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

export function Controls({ playback, frames, marks, full, download }: ControlsProps) {
  const { t } = useTranslation('player')
  const { position, duration, isPlaying } = playback
  const [first] = marks
  const step = (by: number) => playback.seek((frameAt(frames, position) + by) / frames)
  return (
    <div className={styles.controls}>
      <ActionIcon
        variant="filled"
        size={40}
        aria-label={t(isPlaying ? 'pause' : 'play')}
        title={t(isPlaying ? 'pause' : 'play')}
        onClick={playback.toggle}
      >
        {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
      </ActionIcon>
      <span className={styles.steps}>
        <ActionIcon aria-label={t('before')} title={t('before')} onClick={() => step(-1)}>
          <IconPlayerSkipBack size={18} stroke={1.75} />
        </ActionIcon>
        <ActionIcon aria-label={t('after')} title={t('after')} onClick={() => step(1)}>
          <IconPlayerSkipForward size={18} stroke={1.75} />
        </ActionIcon>
      </span>
      <span className={styles.clock}>
        <strong>{clock(position * duration)}</strong> / {clock(duration)}
      </span>
      <span className={styles.right}>
        {first && (
          <Button size="compact-md" onClick={() => playback.seek(first.position)}>
            {t('toAlert')}
          </Button>
        )}
        <RateChoice playback={playback} />
        {download && (
          <ActionIcon
            component="a"
            href={download.href}
            download={download.name}
            aria-label={t('download')}
            title={t('download')}
          >
            <IconDownload size={18} stroke={1.75} />
          </ActionIcon>
        )}
        <ActionIcon
          aria-label={t(full.isFull ? 'leaveFull' : 'full')}
          title={t(full.isFull ? 'leaveFull' : 'full')}
          onClick={full.toggle}
        >
          {full.isFull ? <IconMinimize size={18} stroke={1.75} /> : <IconMaximize size={18} stroke={1.75} />}
        </ActionIcon>
      </span>
    </div>
  )
}

/** All four where there is room for them, one to choose from where there isn't. */
function RateChoice({ playback }: { playback: Playback }) {
  const { t } = useTranslation('player')
  const choices = RATES.map((rate) => ({ value: String(rate), label: `${rate}×` }))
  const choose = (value: string) => playback.setRate(Number(value) as Rate)
  return (
    <>
      <SegmentedControl
        className={styles.wideOnly}
        size="xs"
        aria-label={t('rate')}
        data={choices}
        value={String(playback.rate)}
        onChange={choose}
      />
      <NativeSelect
        className={styles.narrowOnly}
        size="xs"
        aria-label={t('rate')}
        data={choices}
        value={String(playback.rate)}
        onChange={(event) => choose(event.currentTarget.value)}
      />
    </>
  )
}
