import type { Zone } from '@vigil/contract/printers/zones.ts'
import { Hatch, outlineText } from './Hatch.tsx'
import styles from './ZoneShapes.module.css'

/** Outlines on the unrotated picture, hatched: told apart without colour. */
export function ZoneShapes({ zones, faint }: { zones: readonly Zone[]; faint?: boolean }) {
  return (
    <g className={styles.zones} data-faint={faint || undefined}>
      <Hatch width={faint ? 0.006 : 0.012} />
      {zones.map((zone) => (
        <polygon key={outlineText(zone)} points={outlineText(zone)} />
      ))}
    </g>
  )
}
