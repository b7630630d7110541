import type { CloudPrint } from '@vigil/contract/files/cloud-prints.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../lib/translation.ts'
import { useMessages } from '../../lib/catalogue.ts'
import { problemOf } from '../../lib/errors.ts'
import { ask } from '../../ui/confirm.tsx'
import { useProblemText } from '../../ui/Notice.tsx'
import { beginTransition } from '../transition-store.ts'
import { start } from './cloudprint.api.ts'

/** Prints a file of the cloud on a printer: sent once, what stands against it is said. Answers the hand-over that has begun. */
export function useCloudPrint() {
  const { t } = useTranslation('common')
  const message = useMessages()
  const text = useProblemText()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)

  async function print(printer: Printer, fileId: number): Promise<CloudPrint | null> {
    setBusy(true)
    try {
      const begun = await start(client, printer.id, fileId)
      beginTransition(printer, 'G-Code Downloading')
      return begun
    } catch (error) {
      await ask({
        title: message('notReady', { name: printer.name }),
        text: text(problemOf(error)),
        choices: [],
        dismiss: t('close'),
      })
      return null
    } finally {
      setBusy(false)
    }
  }
  return { print, busy }
}
