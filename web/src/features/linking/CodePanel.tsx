import { Skeleton } from '@mantine/core'
import type { VerificationCode } from '@vigil/contract/linking.ts'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../lib/clock.ts'
import { ms } from '../../lib/format.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { useTimeText } from '../../ui/time.tsx'
import type { Target } from './targets.ts'
import styles from './Wizard.module.css'

interface CodePanelProps {
  code: VerificationCode | null
  target: Target
  /** Takes the focus when another way has failed. */
  ref: Ref<HTMLDivElement>
}

/** The six digits, how long they hold, and where to type them. */
export function CodePanel({ code, target, ref }: CodePanelProps) {
  const { t } = useTranslation('linking')
  const now = useNow()
  const { duration } = useTimeText()
  const leftS = code ? ((ms(code.expired_at) ?? now) - now) / 1000 : 0
  return (
    <Panel title={t('code.title')}>
      <p>{t(`code.where.${target === 'octoprint' ? 'octoprint' : 'klipper'}`)}</p>
      <div className={styles.code} ref={ref} tabIndex={-1}>
        {code ? (
          <span className={styles.digits} data-testid="link-code">
            {code.code}
          </span>
        ) : (
          <Skeleton width={190} height={41} />
        )}
        {code && <CopyButton text={code.code} label={t('copy')} />}
      </div>
      <p className={styles.small} role="status">
        {code && leftS > 0 ? t('code.expires', { duration: duration(leftS) }) : t('code.renewing')}
      </p>
      <p className={styles.small}>{t('code.waiting')}</p>
    </Panel>
  )
}
