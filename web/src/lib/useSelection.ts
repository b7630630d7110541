import { useCallback, useMemo, useRef, useState } from 'react'

/** All from one that was chosen before to this one, in the order of the list. */
export function rangeOf<Id>(ids: readonly Id[], from: Id | null, to: Id): Id[] {
  const [a, b] = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)]
  return a === -1 || b === -1 ? [to] : ids.slice(Math.min(a, b), Math.max(a, b) + 1)
}

/** What is chosen among these ids, in their order; with shift, all from the one that was chosen last. */
export function useSelection<Id extends string | number>(ids: readonly Id[]) {
  const [selected, setSelected] = useState<ReadonlySet<Id>>(new Set())
  const latest = useRef(ids)
  latest.current = ids
  const last = useRef<Id | null>(null)
  const select = useCallback((id: Id, on: boolean, range: boolean) => {
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
  const selectThese = useCallback((all: readonly Id[]) => setSelected(new Set(all)), [])
  const chosen = useMemo(() => ids.filter((id) => selected.has(id)), [ids, selected])
  return { selected, chosen, select, selectNone, selectThese }
}
