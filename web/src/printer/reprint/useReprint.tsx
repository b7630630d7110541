import type { Printer } from '@vigil/contract/printers.ts'
import type { Print } from '@vigil/contract/prints.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Situation, useMessages } from '../../lib/catalogue.ts'
import { toast } from '../../lib/toast.ts'
import { ask, confirm } from '../../ui/confirm.tsx'
import type { LocalFile } from '../driver/driver.ts'
import { useDriver } from '../driver/useDriver.ts'
import { beginTransition } from '../transitionStore.ts'
import { useCloudPrint } from '../cloudprint/useCloudPrint.ts'
import { type CloudFile, meaningOf, notReady } from './reprint.ts'

/**
 * Prints a file again where it lies, on the printer or in the cloud: asked first, sent once, what the printer refuses is said.
 * Answers whether the printer took it.
 */
export function useReprint(printer: Printer, transition: string | null) {
  const { t } = useTranslation(['printers', 'common'])
  const message = useMessages()
  const { driver, run } = useDriver(printer)
  const [busy, setBusy] = useState(false)
  const { print: printFromCloud } = useCloudPrint()

  const tellNotReady = (reason: Situation) =>
    ask({
      title: message('notReady', { name: printer.name }),
      text: message(reason),
      choices: [],
      dismiss: t('close', { ns: 'common' }),
    })

  async function reprint(
    print: Pick<Print, 'filename'>,
    file: LocalFile | CloudFile | { path: string },
  ): Promise<boolean> {
    const reason = notReady(printer, transition)
    if (reason) {
      await tellNotReady(reason)
      return false
    }
    const sure = await confirm({
      title: t('reprint.title'),
      text: t('reprint.text', { file: print.filename }),
      action: t('reprint.action'),
    })
    if (!sure) return false
    setBusy(true)
    if ('cloud' in file) {
      const begun = await printFromCloud(printer, file.cloud)
      setBusy(false)
      return begun !== null
    }
    const outcome = await run('path' in file ? driver.files.start(file.path) : driver.reprint.start(file), {
      quiet: true,
    })
    setBusy(false)
    const refusal = outcome.done ? driver.reprint.refusal(outcome.ret) : outcome.words
    if (refusal === null) {
      beginTransition(printer, 'Starting')
      return true
    }
    const meaning = meaningOf(refusal)
    if (meaning === 'busy') await tellNotReady('notReadyBusy')
    else toast(meaning === 'gone' ? t('reprint.gone', { file: print.filename }) : refusal, 'failed')
    return false
  }
  return { reprint, busy }
}
