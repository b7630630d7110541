import { useTranslation } from '../../../lib/translation.ts'
import { Snapshot } from '../../../ui/Snapshot.tsx'
import styles from './Feedback.module.css'

const UPRIGHT = { flipH: false, flipV: false, rotation: 0, ratio: null } as const

/** One picture that is asked about. Give it a key: what was shown before must not stand over another's answers. */
export function Picture({ src, alt }: { src: string; alt: string }) {
  const { t } = useTranslation('feedback')
  return (
    <div className={styles.picture}>
      <Snapshot src={src} alt={alt} orientation={UPRIGHT} expected={4 / 3} empty={t('pictureGone')} />
    </div>
  )
}
