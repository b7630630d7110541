import { ActionIcon } from '@mantine/core'
import { neededFor } from '@vigil/contract/core/abilities.ts'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from '../lib/translation.ts'
import type { Reason } from './ladder.ts'
import type { Shown } from './player.ts'
import type { Video } from './useVideo.ts'
import styles from './Video.module.css'

/**
 * Why there is no better picture; null where all is well, before it was tried, and for a camera that was never said to
 * have video.
 */
export const noteOf = ({
  phase,
  reason,
}: Pick<Shown, 'phase' | 'reason'>): Exclude<Reason, 'noVideo'> | null =>
  reason !== 'noVideo' && phase !== 'off' ? reason : null

/** Why there is no better picture, in words, and a way to try again. Nothing where all is well. */
export function VideoNote({ video: { shown, player } }: { video: Pick<Video, 'shown' | 'player'> }) {
  const { t } = useTranslation('video')
  const reason = noteOf(shown)
  // What failed is said on while it is tried again.
  const isStill = shown.phase !== 'playing'
  if (reason === null) return null
  return (
    <div className={styles.note} data-note>
      <span role="status">{isStill ? t(`why.stills.${reason}`, neededFor('webrtc')) : t('why.lower')}</span>
      {shown.phase === 'stills' && shown.canTry && (
        <ActionIcon aria-label={t('again')} title={t('again')} onClick={() => player.again()}>
          <IconRefresh size={18} stroke={1.75} />
        </ActionIcon>
      )}
    </div>
  )
}
