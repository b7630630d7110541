import type { Deal } from './port.ts'

/** A year of three printers with a pack. */
export const dealFixture: Deal = {
  planId: 'pro',
  cycle: 'annual',
  months: 12,
  printers: 3,
  packLevel: '5',
  percentOff: 0,
  cents: { base: 4800, printers: 4800, pack: 6000 },
}
