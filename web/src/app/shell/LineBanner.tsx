import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { tryNow, useLine } from '../../lib/line.ts'
import { useTimeText } from '../../ui/time.tsx'
import styles from './LineBanner.module.css'

/** Says on every page when it no longer shows what is now, and since when. Gone when the line is back. */
export function LineBanner() {
  const { t } = useTranslation('common')
  const { moment } = useTimeText()
  const { lost, since, offline } = useLine()
  const ref = useRef<HTMLDivElement>(null)

  // What else stands at the top makes room (`--v-banner`).
  useLayoutEffect(() => {
    const { style } = document.documentElement
    if (ref.current) style.setProperty('--v-banner', `${ref.current.offsetHeight + 8}px`)
    return () => void style.removeProperty('--v-banner')
  }, [lost])

  return (
    <div role="status" className={styles.place}>
      {lost && (
        <div ref={ref} className={styles.banner}>
          <IconPlugConnectedX size={18} stroke={1.75} aria-hidden />
          <span>
            <strong>{t(offline ? 'line.offline' : 'line.lost', { moment: moment(since) })}</strong>{' '}
            <span className={styles.more}>{t('line.trying')}</span>
          </span>
          <Button size="xs" onClick={tryNow}>
            {t('line.now')}
          </Button>
        </div>
      )}
    </div>
  )
}
