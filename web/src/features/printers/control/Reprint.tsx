import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers.ts'
import type { Print } from '@vigil/contract/prints.ts'
import { IconRepeat } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Situation, useMessages } from '../../../lib/catalogue.ts'
import { toast } from '../../../lib/toast.ts'
import { ask, confirm } from '../../../ui/confirm.tsx'
import type { LocalFile } from '../../../printer/driver/driver.ts'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import { neededFor } from '../../../printer/driver/versions.ts'
import { beginTransition } from '../../../printer/transitionStore.ts'
import styles from './ControlPage.module.css'
import { meaningOf, notReady, reprintable } from './reprint.ts'

interface ReprintProps {
  printer: Printer
  transition: string | null
  print: Print
}

/** Prints the file of the last print again, where it lies on the printer. */
export function Reprint({ printer, transition, print }: ReprintProps) {
  const { t } = useTranslation(['printers', 'common'])
  const message = useMessages()
  const { driver, run } = useDriver(printer)
  const [busy, setBusy] = useState(false)
  const file = reprintable(printer, print)

  const tellNotReady = (reason: Situation) =>
    ask({
      title: message('notReady', { name: printer.name }),
      text: message(reason),
      choices: [],
      dismiss: t('close', { ns: 'common' }),
    })

  async function reprint(local: LocalFile) {
    const reason = notReady(printer, transition)
    if (reason) return void (await tellNotReady(reason))
    const sure = await confirm({
      title: t('reprint.title'),
      text: t('reprint.text', { file: print.filename }),
      action: t('reprint.action'),
    })
    if (!sure) return
    setBusy(true)
    const outcome = await run(driver.reprint.start(local), { quiet: true })
    setBusy(false)
    const refusal = outcome.done ? driver.reprint.refusal(outcome.ret) : outcome.words
    if (refusal === null) return beginTransition(printer, 'Starting')
    const meaning = meaningOf(refusal)
    if (meaning === 'busy') await tellNotReady('notReadyBusy')
    else toast(meaning === 'gone' ? t('reprint.gone', { file: print.filename }) : refusal, 'failed')
  }

  if (file === null) return null
  if (file === 'tooOld') return <p className={styles.truth}>{t('reprint.tooOld', neededFor('reprint'))}</p>
  return (
    <div className={styles.lastActions}>
      <Button
        size="compact-md"
        leftSection={<IconRepeat size={16} stroke={1.75} />}
        loading={busy}
        disabled={transition !== null}
        onClick={() => void reprint(file)}
      >
        {t('reprint.button')}
      </Button>
    </div>
  )
}
