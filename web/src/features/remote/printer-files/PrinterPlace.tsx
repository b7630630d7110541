import { Button, Skeleton } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { usePlace } from '../../../lib/address.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { NoPrinter } from '../../../printer/NoPrinter.tsx'
import { useLive } from '../../../printer/live/printer-line.ts'
import { printerQuery } from '../../../printer/printers.api.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useWhyNotBrowse } from '../../../printer/useWhyNotBrowse.ts'

/** The printer and the path that the address names, where that printer's files can be read; why not, where they can't. */
export function PrinterPlace({
  ofFile,
  children,
}: {
  /** The place is one file: without its printer there is nothing of it. */
  ofFile?: boolean
  children: (printer: Printer, path: string) => ReactNode
}) {
  // Its words are here before the line may be lost.
  useTranslation('printers')
  const id = Number(usePlace('printerId'))
  const path = usePlace('path') ?? ''
  const { data: printer, error, isPending, refetch } = useQuery(printerQuery(id))
  if (printer) return <Browsable printer={printer}>{children(printer, path)}</Browsable>
  if (isPending) return <Skeleton height={320} aria-busy="true" />
  if (ofFile && problemOf(error).kind === 'missing') return <NoHost />
  return <NoPrinter error={error} onRetry={refetch} />
}

function NoHost() {
  const { t } = useTranslation('printer-files')
  const message = useMessages()
  return (
    <Notice
      whole
      title={message('hostPrinterNotFound')}
      actions={<Button renderRoot={(props) => <Link {...props} to={paths.folders} />}>{t('toCloud')}</Button>}
    />
  )
}

function Browsable({ printer, children }: { printer: Printer; children: ReactNode }) {
  const { t } = useTranslation('printer-files')
  const message = useMessages()
  useLive(printer.id)
  const reasons = useWhyNotBrowse()(printer)
  if (reasons.length === 0) return children
  return (
    <Notice
      whole
      title={message('unableToBrowse')}
      actions={
        <Button renderRoot={(props) => <Link {...props} to={paths.control(printer.id)} />}>
          {t('toPrinter', { name: printer.name })}
        </Button>
      }
    >
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </Notice>
  )
}
