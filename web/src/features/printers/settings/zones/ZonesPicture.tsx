import type { Zone } from '@vigil/contract/zones.ts'
import styles from './Zones.module.css'

export const outlineText = (zone: Zone) => zone.map(({ x, y }) => `${x},${y}`).join(' ')

/** The unrotated camera picture with the zones on it, hatched: told apart without colour. */
export function ZonesPicture({ src, zones, label }: { src: string; zones: Zone[]; label: string }) {
  return (
    <div className={styles.picture} role="img" aria-label={label}>
      <img src={src} alt="" />
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden>
        <Hatch />
        {zones.map((zone) => (
          <polygon key={outlineText(zone)} points={outlineText(zone)} className={styles.zone} />
        ))}
      </svg>
    </div>
  )
}

export function Hatch() {
  return (
    <defs>
      <pattern
        id="zone-hatch"
        width="0.02"
        height="0.02"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <path d="M0 0V0.02" stroke="currentColor" strokeWidth="0.012" />
      </pattern>
    </defs>
  )
}
