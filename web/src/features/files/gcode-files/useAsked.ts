import { useMemo } from 'react'
import { useQueryValues } from '../../../lib/address.ts'
import { useStoredChoice } from '../../../lib/stored.ts'
import type { Asked } from './gcode-files.api.ts'

export const SORTINGS = ['name', 'size', 'created_at'] as const
const DIRECTIONS = ['desc', 'asc'] as const

/** How lists of files are sorted, kept in this browser. */
export function useSorting() {
  const [by, setBy] = useStoredChoice('gcodesSorting-sorting', SORTINGS, 'created_at')
  const [direction, setDirection] = useStoredChoice('gcodesSorting-direction', DIRECTIONS, 'desc')
  return { by, setBy, direction, setDirection }
}

/** What is shown of a folder: in this browser's order, or what the address looks for in all of them. */
export function useAsked(folder: number | null): Asked {
  const { by, direction } = useSorting()
  const { q = '' } = useQueryValues()
  return useMemo(() => ({ folder, q, by, direction }), [folder, q, by, direction])
}
