import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../../ui/Panel.tsx'
import { useDriver } from '../../../../printer/driver/useDriver.ts'
import styles from './Widgets.module.css'

/** What stands on the printer's own display, and a way to clear it. */
export function DisplayWidget({ printer, message }: { printer: Printer; message: string }) {
  const { t } = useTranslation('widgets')
  const { driver, run } = useDriver(printer)
  const [busy, setBusy] = useState(false)

  async function dismiss() {
    setBusy(true)
    await run(driver.display(''), { tell: true })
    setBusy(false)
  }

  return (
    <Panel title={t('name.display')}>
      <div className={styles.display}>
        <p className={styles.message}>{message}</p>
        <Button size="compact-md" disabled={busy} onClick={() => void dismiss()}>
          {t('dismiss')}
        </Button>
      </div>
    </Panel>
  )
}
