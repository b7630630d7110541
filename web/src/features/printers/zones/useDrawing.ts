import type { Point, Zone } from '@vigil/contract/printers/zones.ts'
import { useState } from 'react'

/** Zones that are being drawn, as they are shown. */
export interface Drawing {
  readonly zones: Zone[]
  readonly setZones: (zones: Zone[]) => void
  readonly selected: number | null
  readonly setSelected: (at: number | null) => void
  /** The points of a zone that is not closed yet. */
  readonly draft: Point[] | null
  readonly setDraft: (points: Point[] | null) => void
  readonly add: (zone: Zone) => void
  readonly drop: (at: number) => void
}

/** Begins with these zones. `isDrawing`: a new one is being drawn from the start. */
export function useDrawing(initial: Zone[], isDrawing: boolean): Drawing {
  const [zones, setZones] = useState(initial)
  const [selected, setSelected] = useState<number | null>(null)
  const [draft, setDraft] = useState<Point[] | null>(isDrawing ? [] : null)
  return {
    zones,
    setZones,
    selected,
    setSelected,
    draft,
    setDraft,
    add(zone) {
      setZones([...zones, zone])
      setSelected(zones.length)
      setDraft(null)
    },
    drop(at) {
      setZones(zones.toSpliced(at, 1))
      setSelected(null)
    },
  }
}
