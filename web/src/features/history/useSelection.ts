import { useCallback, useMemo, useRef, useState } from 'react'
import { rangeOf } from './listing.ts'

/** What is chosen among these ids, in their order; with shift, all from the one that was chosen last. */
export function useSelection(ids: readonly number[]) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const latest = useRef(ids)
  latest.current = ids
  const last = useRef<number | null>(null)
  const select = useCallback((id: number, on: boolean, range: boolean) => {
    const meant = range ? rangeOf(latest.current, last.current, id) : [id]
    last.current = id
    setSelected((held) => {
      const next = new Set(held)
      for (const each of meant) {
        if (on) next.add(each)
        else next.delete(each)
      }
      return next
    })
  }, [])
  const selectNone = useCallback(() => setSelected(new Set()), [])
  const selectThese = useCallback((all: readonly number[]) => setSelected(new Set(all)), [])
  const chosen = useMemo(() => ids.filter((id) => selected.has(id)), [ids, selected])
  return { selected, chosen, select, selectNone, selectThese }
}
