import type { Zone } from '@vigil/contract/printers/zones.ts'
import { type Orientation, Snapshot } from '../../../ui/Snapshot.tsx'
import { ZoneShapes } from './ZoneShapes.tsx'

interface ZonesPictureProps {
  src: string
  turned: Orientation & { ratio: number }
  zones: Zone[]
  label: string
}

/** The camera picture as it is shown elsewhere, with the zones on it. */
export function ZonesPicture({ src, turned, zones, label }: ZonesPictureProps) {
  return (
    <Snapshot
      src={src}
      alt={label}
      orientation={{ ...turned, ratio: null }}
      expected={turned.ratio}
      overlay={<ZoneShapes zones={zones} />}
    />
  )
}
