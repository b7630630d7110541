import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../../ui/Panel.tsx'
import { Snapshot } from '../../../../ui/Snapshot.tsx'
import styles from './ControlPage.module.css'

const PLAIN = { flipH: false, flipV: false, rotation: 0 } as const

/** The page's places before the printer is read; the picture's has the ratio that the picture will have. */
export function ControlSkeleton({ ratio }: { ratio: number }) {
  const { t } = useTranslation('common')
  return (
    <div role="status" aria-busy="true" aria-label={t('loading')}>
      <Skeleton height={28} width={220} mt={4} mb={20} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <div className={styles.camera}>
            <Snapshot src={null} alt="" orientation={{ ...PLAIN, ratio }} />
            <div className={styles.cameraBar} />
          </div>
        </div>
        <div className={styles.side}>
          {[180, 150].map((height) => (
            <Panel key={height}>
              <Skeleton height={14} width={90} mb={18} />
              <Skeleton height={height} />
            </Panel>
          ))}
        </div>
      </div>
    </div>
  )
}
