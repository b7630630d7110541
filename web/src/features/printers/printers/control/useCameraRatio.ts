import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readStored, writeStored } from '../../../../lib/stored.ts'
import { mainCamera, orientation } from '../../../../printer/camera/camera.ts'
import { printersQuery } from '../../../../printer/printers.api.ts'
import { useTurn } from '../../../../printer/camera/useTurn.ts'

/** Width to height of the place of a printer's picture, also before the printer is read: as it was here last. */
export function useCameraRatio(id: number, printer: Printer | undefined): number {
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
