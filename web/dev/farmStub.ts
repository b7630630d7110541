import type { Printer } from '@vigil/contract/printers.ts'
import { printers } from './stub.ts'
import { ago } from './time.ts'

/** A farm: `count` printers, all states mixed. */
export function farm(count: number): Printer[] {
  const kinds = printers()
  return Array.from({ length: count }, (_, at) => {
    // Most of a farm prints and is well.
    const kind = kinds[at % 7 === 6 ? (at % 3) + 2 : at === 3 ? 1 : at % 5 === 4 ? 2 : 0] as Printer
    return {
      ...kind,
      id: 100 + at,
      name: `${['Voron', 'Prusa MK4', 'Ender 3', 'K1 Max', 'Bambu P1S'][at % 5]} ${String(at + 1).padStart(2, '0')}`,
      created_at: ago(1_000_000 + at * 100),
      status: kind.status && {
        ...kind.status,
        progress:
          kind.current_print === null
            ? {}
            : { completion: (at * 37.3) % 100, printTime: 900 + at * 211, printTimeLeft: 600 + at * 313 },
      },
    }
  })
}
