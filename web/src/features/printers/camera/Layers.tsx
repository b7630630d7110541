import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ms } from '../../../lib/format.ts'
import { ZoneShapes, zonesQuery } from '../zones/index.ts'
import { heatQuery } from './heat.api.ts'
import { heatImage } from './heat.ts'
import { useLayer } from '../../../printer/camera/layers.ts'

/** A map of an older look would lie about the picture under it. */
const SAME_SCENE_MS = 60_000

/** What the owner wants to see on the picture of the main camera: heat, then ignore zones. */
export function Layers({ printer, ofAlert }: { printer: Printer; ofAlert: boolean }) {
  const [showsZones] = useLayer('zones')
  const [showsHeat] = useLayer('heat')
  return (
    <>
      {showsHeat && <HeatLayer printer={printer} ofAlert={ofAlert} />}
      {showsZones && <ZoneLayer printerId={printer.id} />}
    </>
  )
}

function ZoneLayer({ printerId }: { printerId: number }) {
  const { data } = useQuery(zonesQuery(printerId))
  return data && data.zones.length > 0 ? <ZoneShapes zones={data.zones} faint /> : null
}

function HeatLayer({ printer, ofAlert }: { printer: Printer; ofAlert: boolean }) {
  const pictureAt = ofAlert ? printer.alert_pic?.taken_at : printer.watch.picture_at
  const stamp = ofAlert ? pictureAt : printer.watch.checked_at
  const { data } = useQuery(heatQuery(printer.id, { ofAlert, stamp: stamp ?? null }))
  const image = useMemo(() => (data ? heatImage(data) : null), [data])
  const apart = Math.abs((ms(pictureAt) ?? 0) - (ms(data?.taken_at) ?? 0))
  if (!image || apart > SAME_SCENE_MS) return null
  return <image href={image} width="1" height="1" preserveAspectRatio="none" />
}
