import { useQuery } from '@tanstack/react-query'
import { useId } from '../../../lib/address.ts'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { Deleted } from '../../../printer/Deleted.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { printerQuery } from '../../../printer/printers.api.ts'
import { ControlPage } from './ControlPage.tsx'
import { ControlSkeleton } from './ControlSkeleton.tsx'
import { useCameraRatio } from './useCameraRatio.ts'

export default function PrinterControlScreen() {
  const { t } = useTranslation('printers')
  const id = useId()
  const { data: printer, error, isPending, refetch } = useQuery(printerQuery(id))
  const ratio = useCameraRatio(id, printer)

  if (printer) return <ControlPage printer={printer} />
  if (isPending) return <ControlSkeleton ratio={ratio} />
  if (problemOf(error).kind === 'missing') return <Deleted />
  return <NotLoaded title={t('control.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
}
