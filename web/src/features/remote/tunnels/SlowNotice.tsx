import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStoredChoice } from '../../../lib/stored.ts'
import styles from './Tunnel.module.css'

/** The printer's page takes longer than at home: said until somebody has had enough of it (docs/wire/browsers.md 4). */
export function SlowNotice({ page }: { page: string }) {
  const { t } = useTranslation('tunnels')
  const [skip, setSkip] = useStoredChoice('skip-tunneling-warning', ['true', 'false'], 'false')
  const [isClosed, close] = useState(false)
  const [never, setNever] = useState(false)
  if (skip === 'true' || isClosed) return null
  return (
    <aside className={styles.slow} aria-label={t('slow.title')}>
      <strong>{t('slow.title')}</strong>
      <p>{t('slow.text', { page })}</p>
      <div className={styles.slowFoot}>
        <Checkbox
          label={t('slow.never')}
          checked={never}
          onChange={(event) => setNever(event.currentTarget.checked)}
        />
        <Button
          size="xs"
          onClick={() => {
            if (never) setSkip('true')
            close(true)
          }}
        >
          {t('slow.ok')}
        </Button>
      </div>
    </aside>
  )
}
