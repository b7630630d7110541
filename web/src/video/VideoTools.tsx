import { ActionIcon } from '@mantine/core'
import { IconCamera, IconPictureInPicture, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../lib/translation.ts'
import { canFloat } from './keep.ts'
import type { Video } from './useVideo.ts'
import styles from './Video.module.css'

interface ToolsProps {
  video: Pick<Video, 'shown' | 'on' | 'toggle' | 'cycle' | 'possible'>
  onSave: () => void
  onFloat: () => void
}

/** What can be done with a picture: stop it, keep it, have it float above other windows. */
export function VideoTools({ video: { shown, on, toggle, cycle, possible }, onSave, onFloat }: ToolsProps) {
  const { t } = useTranslation('video')
  const canPlay = possible && (on || (shown.phase === 'off' && !cycle))
  return (
    <div className={styles.tools}>
      {canPlay && (
        <Tool label={t(on ? 'stop' : 'play')} onClick={toggle}>
          {on ? <IconPlayerStop size={18} stroke={1.75} /> : <IconPlayerPlay size={18} stroke={1.75} />}
        </Tool>
      )}
      <Tool label={t('save')} onClick={onSave}>
        <IconCamera size={18} stroke={1.75} />
      </Tool>
      {shown.phase === 'playing' && canFloat() && (
        <Tool label={t('float')} onClick={onFloat}>
          <IconPictureInPicture size={18} stroke={1.75} />
        </Tool>
      )}
    </div>
  )
}

function Tool({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <ActionIcon aria-label={label} title={label} onClick={onClick}>
      {children}
    </ActionIcon>
  )
}

/** A press that plays, where it doesn't play by itself; while the plan's video rests it says for how long. */
export function PlayButton({
  video,
  small,
}: {
  video: Pick<Video, 'asks' | 'toggle' | 'cycle'>
  small?: boolean
}) {
  const { t } = useTranslation('video')
  const { asks, toggle, cycle } = video
  if (!asks) return null
  const rest = cycle?.rest ?? 0
  return (
    <button
      type="button"
      className={styles.ask}
      data-small={small || undefined}
      disabled={rest > 0}
      onClick={toggle}
    >
      <IconPlayerPlay size={20} stroke={1.75} aria-hidden />
      {rest > 0 ? t('rest', { count: rest }) : t(cycle ? 'playFor' : 'play', { count: cycle?.left ?? 0 })}
    </button>
  )
}
