import { Skeleton } from '@mantine/core'
import type { VerificationCode } from '@vigil/contract/printers/linking.ts'
import { type Ref, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessages } from '../../../lib/catalogue.ts'
import { useNow } from '../../../lib/clock.ts'
import { ms } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import type { Target } from './targets.ts'
import styles from './Wizard.module.css'

/** An agent that asks for no code is older (docs/rules/pages.md 3). */
const SINCE = { octoprint: '2.5.0', klipper: '1.6.0' }

interface CodePanelProps {
  code: VerificationCode | null
  target: Target
  /** Takes the focus when another way has failed. */
  ref: Ref<HTMLDivElement>
}

/** The six digits, how long they hold, and where to type them. */
export function CodePanel({ code, target, ref }: CodePanelProps) {
  const { t } = useTranslation('linking')
  const agent = target === 'octoprint' ? 'octoprint' : 'klipper'
  useCopyKey(code?.code)
  const now = useNow()
  const { duration } = useTimeText()
  const leftS = code ? ((ms(code.expired_at) ?? now) - now) / 1000 : 0
  return (
    <Panel title={t('code.title')}>
      <p>{t(`code.where.${agent}`)}</p>
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
      <p className={styles.small}>{t(`code.since.${agent}`, { version: SINCE[agent] })}</p>
    </Panel>
  )
}

/** Copying where nothing is chosen copies the code (docs/rules/pages.md 2). */
function useCopyKey(code: string | undefined): void {
  const copied = useMessages()('copied')
  useEffect(() => {
    if (!code) return undefined
    const listen = (event: ClipboardEvent) => {
      const isElsewhere =
        event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
      if (isElsewhere || !getSelection()?.isCollapsed) return
      event.clipboardData?.setData('text/plain', code)
      event.preventDefault()
      toast(copied, 'done')
    }
    document.addEventListener('copy', listen)
    return () => document.removeEventListener('copy', listen)
  }, [code, copied])
}
