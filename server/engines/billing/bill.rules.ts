import type { Deal } from './port.ts'

/** What one bill of a deal comes to, before tax. */
export const totalOf = ({ cents: { base, printers, pack } }: Pick<Deal, 'cents'>): number =>
  base + printers + pack
