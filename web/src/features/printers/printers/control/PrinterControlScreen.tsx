import { Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useEffect } from 'react'
import { useTranslation } from '../../../../lib/translation.ts'
import { useId } from '../../../../lib/address.ts'
import { readStored, writeStored } from '../../../../lib/stored.ts'
import { mainCamera, orientation } from '../../../../printer/camera/camera.ts'
import { useTurn } from '../../../../printer/camera/useTurn.ts'
import { NoPrinter } from '../../../../printer/NoPrinter.tsx'
import { printerQuery, printersQuery } from '../../../../printer/printers.api.ts'
import { Panel } from '../../../../ui/Panel.tsx'
import { Snapshot } from '../../../../ui/Snapshot.tsx'
import styles from './ControlPage.module.css'
import { ControlPage } from './ControlPage.tsx'

const PLAIN = { flipH: false, flipV: false, rotation: 0 } as const

/** The page's places before the printer is read; the picture's has the ratio that the picture will have. */
function ControlSkeleton({ ratio }: { ratio: number }) {
  const { t } = useTranslation('common')
  return (
    <div role="status" aria-busy="true" aria-label={t('loading')}>
      <Skeleton height={28} width={220} mt={4} mb={20} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <div className={styles.camera}>
            <Snapshot src={null} alt="" orientation={{ ...PLAIN, ratio }} />
          </div>
        </div>
        <div className={styles.side}>
          {[180, 150].map((height) => (
            <Panel key={height}>
              <Skeleton height={14} width={90} mb={18} />
              <Skeleton height={height} />
            </Panel>
          ))}
        </div>
      </div>
    </div>
  )
}

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

/** Width to height of the place of a printer's picture, also before the printer is read: as it was here last. */
function useCameraRatio(id: number, printer: Printer | undefined): number {
  const client = useQueryClient()
  const known = printer ?? client.getQueryData(printersQuery.queryKey)?.find((one) => one.id === id)
  const camera = known && mainCamera(known.settings)
  const [turn] = useTurn(id, camera ?? { key: 'first' })
  const shown = camera ? orientation(camera, turn).ratio : null
  const key = `webcamRatio_${id}`
  useEffect(() => {
    if (shown !== null) writeStored(key, String(shown))
  }, [key, shown])
  const kept = Number(readStored(key))
  return shown ?? (kept > 0.25 && kept < 4 ? kept : 16 / 9)
}
