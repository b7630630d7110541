import type { Macro } from '@vigil/contract/printers/macros.ts'

/** Up to so many stand as one. */
const FEW = 8

export interface Group {
  /** The word that their names begin with; null: what stands for itself. */
  readonly title: string | null
  readonly macros: readonly Macro[]
}

const wordOf = ({ name }: Macro) => /^[A-Z0-9]+(?=_)/.exec(name)?.[0] ?? null

/** Macros by what their names begin with, once there are many: `PRINT_START` and `PRINT_END` are one group. What stands alone comes last. */
export function groupsOf(macros: readonly Macro[], sought: string): Group[] {
  const words = sought
    .toUpperCase()
    .split(/[\s_]+/)
    .filter(Boolean)
  const found = macros.filter(({ name, description }) =>
    words.every((word) => name.includes(word) || description?.toUpperCase().includes(word)),
  )
  if (found.length === 0) return []
  if (found.length <= FEW) return [{ title: null, macros: found }]
  const groups = Map.groupBy(found, wordOf)
  const titled = [...groups].filter(([word, { length }]) => word !== null && length > 1)
  const alone = found.filter((macro) => !titled.some(([word]) => word === wordOf(macro)))
  return [
    ...titled.map(([title, members]) => ({ title, macros: members })),
    ...(alone.length > 0 ? [{ title: null, macros: alone }] : []),
  ]
}

/** With more than these there is something to look for. */
export const isMany = (macros: readonly Macro[]): boolean => macros.length > FEW
