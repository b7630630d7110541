import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Verdict } from '../../../../lib/thumbs.ts'
import { ask, confirm } from '../../../../ui/confirm.tsx'
import { BULK_ACTIONS, type BulkAction, sortOut } from './bulk.ts'
import { BulkAnswers } from './BulkAnswers.tsx'
import styles from './TileGrid.module.css'

interface BulkBarProps {
  chosen: Printer[]
  all: number
  onAll: () => void
  onNone: () => void
}

/** What can be done to all that are chosen: asked once, answered for each. */
export function BulkBar({ chosen, all, onAll, onNone }: BulkBarProps) {
  const { t } = useTranslation('grid')
  const [running, setRunning] = useState<{
    action: BulkAction
    printers: Printer[]
    overwrite?: Verdict
  } | null>(null)

  async function start(action: BulkAction) {
    const { able, unable, alerting } = sortOut(chosen, action)
    const question = {
      title: t(`bulk.${action}.title`, { count: able.length }),
      text: (
        <>
          <p>{t(`bulk.${action}.text`)}</p>
          <p className={styles.names}>{able.map(({ name }) => name).join(', ')}</p>
          {alerting > 0 && <p className={styles.aside}>{t('bulk.alerting', { count: alerting })}</p>}
          {unable > 0 && <p className={styles.aside}>{t(`bulk.${action}.unable`, { count: unable })}</p>}
        </>
      ),
    }
    if (alerting > 0) {
      const said = await ask({
        ...question,
        choices: [
          { value: 'FAILED', tone: 'plain', label: t('bulk.were') },
          { value: 'NOT_FAILED', label: t('bulk.wereNot') },
        ],
      })
      if (said) setRunning({ action, printers: able, overwrite: said === 'FAILED' ? said : 'NOT_FAILED' })
      return
    }
    const sure = await confirm({
      ...question,
      action: t(`bulk.${action}.action`, { count: able.length }),
      ...(action === 'cancel' ? { tone: 'bad' as const, dismiss: t('bulk.keep') } : {}),
    })
    if (sure) setRunning({ action, printers: able })
  }

  return (
    <>
      {chosen.length > 0 && (
        <section className={styles.bar} aria-label={t('bulk.label')}>
          <strong className={styles.count} role="status">
            {t('bulk.chosen', { count: chosen.length })}
          </strong>
          {BULK_ACTIONS.map((action) => {
            const count = sortOut(chosen, action).able.length
            return (
              <Button
                key={action}
                {...(action === 'cancel' ? { variant: 'outline', color: 'bad' } : {})}
                disabled={count === 0}
                title={count === 0 ? t(`bulk.${action}.none`) : undefined}
                onClick={() => void start(action)}
              >
                {t(`bulk.${action}.button`)}
                {count > 0 && count < chosen.length ? ` (${count})` : ''}
              </Button>
            )
          })}
          <span className={styles.spring} />
          {chosen.length < all && (
            <Button variant="subtle" onClick={onAll}>
              {t('bulk.all', { count: all })}
            </Button>
          )}
          <Button variant="subtle" onClick={onNone}>
            {t('bulk.clear')}
          </Button>
        </section>
      )}
      {running && <BulkAnswers {...running} onClose={() => setRunning(null)} />}
    </>
  )
}
