import { useQuery } from '@tanstack/react-query'
import { useId } from '../../../../lib/address.ts'
import { useTranslation } from 'react-i18next'
import { NoPrinter } from '../../../../printer/NoPrinter.tsx'
import { printerQuery } from '../../../../printer/printers.api.ts'
import { ControlPage } from './ControlPage.tsx'
import { ControlSkeleton } from './ControlSkeleton.tsx'
import { useCameraRatio } from './useCameraRatio.ts'

export default function PrinterControlScreen() {
  // Its words are here before the line may be lost.
  useTranslation('printers')
  const id = useId()
  const { data: printer, error, isPending, refetch } = useQuery(printerQuery(id))
  const ratio = useCameraRatio(id, printer)

  if (printer) return <ControlPage printer={printer} />
  if (isPending) return <ControlSkeleton ratio={ratio} />
  return <NoPrinter error={error} onRetry={refetch} />
}
