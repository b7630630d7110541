import { ActionIcon, Button, Group, NativeSelect, SegmentedControl } from '@mantine/core'
import {
  IconDownload,
  IconMaximize,
  IconMinimize,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../lib/translation.ts'
import styles from './Player.module.css'
import { frameAt } from './predictions.ts'
import type { Mark } from './Scrubber.tsx'
import { RATES } from './clock.ts'
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
    <Group gap={8} p="8px 12px">
      <Tool label={t(isPlaying ? 'pause' : 'play')} variant="filled" onClick={playback.toggle}>
        {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
      </Tool>
      <span className={styles.steps}>
        <Tool label={t('before')} onClick={() => step(-1)}>
          <IconPlayerSkipBack size={18} stroke={1.75} />
        </Tool>
        <Tool label={t('after')} onClick={() => step(1)}>
          <IconPlayerSkipForward size={18} stroke={1.75} />
        </Tool>
      </span>
      <span className={styles.clock}>
        <strong>{clock(position * duration)}</strong> / {clock(duration)}
      </span>
      <Group component="span" gap={6} ml="auto">
        {first && (
          <Button size="compact-md" onClick={() => playback.seek(first.position)}>
            {t('toAlert')}
          </Button>
        )}
        <RateChoice playback={playback} />
        {download && <Download {...download} />}
        <Tool label={t(full.isFull ? 'leaveFull' : 'full')} onClick={full.toggle}>
          {full.isFull ? <IconMinimize size={18} stroke={1.75} /> : <IconMaximize size={18} stroke={1.75} />}
        </Tool>
      </Group>
    </Group>
  )
}

interface ToolProps {
  label: string
  variant?: 'filled' | 'subtle'
  onClick: () => void
  children: ReactNode
}

function Tool({ label, variant = 'subtle', onClick, children }: ToolProps) {
  return (
    <ActionIcon variant={variant} aria-label={label} title={label} onClick={onClick}>
      {children}
    </ActionIcon>
  )
}

function Download({ href, name }: { href: string; name: string }) {
  const { t } = useTranslation('player')
  const label = t('download')
  return (
    <ActionIcon component="a" href={href} download={name} aria-label={label} title={label}>
      <IconDownload size={18} stroke={1.75} />
    </ActionIcon>
  )
}

/** All four where there is room for them, one to choose from where there isn't. */
function RateChoice({ playback }: { playback: Playback }) {
  const { t } = useTranslation('player')
  const choices = RATES.map((rate) => ({ value: String(rate), label: `${rate}×` }))
  const choose = (value: string) => playback.setRate(RATES.find((rate) => String(rate) === value) ?? 1)
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
