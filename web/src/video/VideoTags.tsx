import { IconAlertTriangle, IconLoader2 } from '@tabler/icons-react'
import { useTranslation } from '../lib/translation.ts'
import { withUnit } from '../lib/format.ts'
import { ask } from '../ui/confirm.tsx'
import { useTimeText } from '../ui/time.tsx'
import type { Video } from './useVideo.ts'
import styles from './Video.module.css'

/** What is to be known of a picture at a glance: whether it is now, how much of it comes, and what is wrong with it. */
export function VideoTags({
  video,
  brief,
}: {
  video: Pick<Video, 'shown' | 'player' | 'cycle'>
  brief?: boolean
}) {
  const { t } = useTranslation('video')
  const rate = useRate()
  const { shown, cycle } = video
  if (shown.phase === 'off' || shown.phase === 'stills') return null
  // A try after one that failed is no promise: why it failed stands beside it.
  if (shown.phase === 'loading' && shown.reason !== null) return null
  if (shown.phase === 'loading')
    return (
      <span className={styles.tag}>
        <IconLoader2 size={14} stroke={2} aria-hidden />
        {t('loading')}
      </span>
    )
  return (
    <>
      <Freshness shown={shown} />
      {!brief && shown.figures && shown.fresh !== 'still' && (
        <span className={styles.tag}>{rate(shown.figures)}</span>
      )}
      {cycle && <span className={styles.tag}>{t('left', { count: cycle.left })}</span>}
      {!brief && <Warnings video={video} />}
    </>
  )
}

function Freshness({ shown }: Pick<Video, 'shown'>) {
  const { t } = useTranslation('video')
  const { ago } = useTimeText()
  if (shown.fresh === 'still') return <span className={styles.tag}>{ago(shown.age)}</span>
  return (
    <span className={styles.tag}>
      <span className={styles.dot} data-late={shown.fresh === 'late' || undefined} aria-hidden />
      {t(shown.fresh)}
    </span>
  )
}

/** Each leads to what may help. */
function Warnings({ video: { shown, player } }: { video: Pick<Video, 'shown' | 'player'> }) {
  const { t } = useTranslation('catalogue')
  const { t: tc } = useTranslation('common')
  const tell = (what: 'buffering' | 'slowLink') =>
    void ask({ title: t(what), text: t(`${what}Text`), choices: [], dismiss: tc('close') })
  const icon = <IconAlertTriangle size={14} stroke={2} aria-hidden />
  if (shown.fresh === 'still')
    return (
      <button type="button" className={styles.tag} onClick={() => tell('buffering')}>
        {icon}
        {t('buffering')}
      </button>
    )
  if (!shown.slow) return null
  return (
    <button
      type="button"
      className={styles.tag}
      onClick={() => {
        player.forgive()
        tell('slowLink')
      }}
    >
      {icon}
      {t('slowLink')}
    </button>
  )
}

/** Frame rate and bit rate in words. */
function useRate(): (figures: { fps: number; kbps: number }) => string {
  const { t } = useTranslation('video')
  return ({ fps, kbps }) => {
    const rate =
      kbps >= 1000
        ? withUnit((kbps / 1000).toFixed(1), 'Mbit/s')
        : withUnit(String(Math.round(kbps)), 'kbit/s')
    return t('figures', { fps: fps < 9.5 ? fps.toFixed(1) : Math.round(fps), rate })
  }
}
