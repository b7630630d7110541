import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useState } from 'react'
import { useTranslation } from '../../lib/translation.ts'
import { type Situation, useMessages } from '../../lib/catalogue.ts'
import { toast } from '../../lib/toast.ts'
import { ask, confirm } from '../../ui/confirm.tsx'
import type { LocalFile } from '../driver/driver.ts'
import { useDriver } from '../driver/useDriver.ts'
import { beginTransition } from '../transition-store.ts'
import { useCloudPrint } from '../cloudprint/useCloudPrint.ts'
import { type CloudFile, meaningOf, notReady } from './reprint.ts'

type Words = 'reprint' | 'startFile'

/**
 * Prints a file again where it lies, on the printer or in the cloud: asked first, sent once, what the printer refuses is said.
 * Answers whether the printer took it. `words`: whether that is to print it once more, or nothing is said of earlier prints.
 */
export function useReprint(printer: Printer, transition: string | null, words: Words = 'reprint') {
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
      dismiss: t('common:close'),
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
      title: t(`${words}.title`),
      text: t('cloud' in file ? 'reprint.textCloud' : 'reprint.text', { file: print.filename }),
      action: t(`${words}.action`),
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
    else toast(meaning === 'gone' ? t(`${words}.gone`, { file: print.filename }) : refusal, 'failed')
    return false
  }
  return { reprint, busy }
}
