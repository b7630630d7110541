import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconPrinter, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { toast } from '../../../lib/toast.ts'
import type { PrinterEntry } from '../../../printer/driver/driver.ts'
import { readStatus } from '../../../printer/status.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { folderOf } from './entries.ts'
import { deleteFile } from './printer-files.api.ts'
import { usePrintEntry } from './usePrintEntry.ts'

/** Prints a file where it lies on the printer, or deletes it. */
export function FileButtons({ printer, entry }: { printer: Printer; entry: PrinterEntry }) {
  const { t } = useTranslation('printer-files')
  const message = useMessages()
  const navigate = useNavigate()
  const { print, busy, why } = usePrintEntry(printer)
  async function printIt() {
    if (await print(entry)) await navigate({ to: paths.control(printer.id) })
  }
  return (
    <>
      <Button
        variant="filled"
        leftSection={<IconPrinter size={17} stroke={1.75} />}
        loading={busy}
        disabled={why !== null}
        title={why === null ? undefined : message(why)}
        onClick={() => void printIt()}
      >
        {t('print')}
      </Button>
      <DeleteButton printer={printer} entry={entry} />
    </>
  )
}

function DeleteButton({ printer, entry }: { printer: Printer; entry: PrinterEntry }) {
  const { t } = useTranslation('printer-files')
  const text = useProblemText()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const isLoaded = printer.current_print !== null && readStatus(printer)?.file['path'] === entry.path
  async function remove() {
    const sure = await confirm({
      title: t('delete.title'),
      text: t('delete.text', { file: entry.name, name: printer.name }),
      action: t('delete.action'),
      tone: 'bad',
    })
    if (!sure) return
    setBusy(true)
    try {
      await deleteFile(client, printer.id, entry.path)
      toast(t('delete.done', { file: entry.name }), 'done')
      await navigate({ to: paths.printerFolder(printer.id, folderOf(entry.path)), replace: true })
    } catch (error) {
      toast(text(problemOf(error)), 'failed', t('delete.failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      color="bad"
      variant="outline"
      leftSection={<IconTrash size={17} stroke={1.75} />}
      loading={busy}
      disabled={isLoaded}
      title={isLoaded ? t('delete.inUse') : undefined}
      onClick={() => void remove()}
    >
      {t('delete.action')}
    </Button>
  )
}
