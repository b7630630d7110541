import type { Zone } from '@vigil/contract/printers/zones.ts'
import styles from './ZoneShapes.module.css'

export const outlineText = (zone: Zone) => zone.map(({ x, y }) => `${x},${y}`).join(' ')

/** The filling of zones, `url('#zone-hatch')`: told apart without colour. `width` of a line, 1 is the whole picture. */
export function Hatch({ width = 0.012 }: { width?: number }) {
  return (
    <defs>
      <pattern
        id="zone-hatch"
        width="0.02"
        height="0.02"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <path d="M0 0V0.02" stroke="currentColor" strokeWidth={width} />
      </pattern>
    </defs>
  )
}

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
