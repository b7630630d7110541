/**
 * What `./vigil test` leaves to `./vigil test --all`, with the reason. The gate has all behaviour, all guards, and one representative of
 * each kind of attack, fault and real part; what is here is dear and watches over something that a gate already watches in small.
 */
export const ONLY_ALL: Readonly<Record<string, string>> = {
  'e2e/spread.test.ts':
    'two nodes and a Redis: tunnel.test.ts and real/tunnel.test.ts go over two nodes, too',
  'e2e/slicers.test.ts':
    'PrusaSlicer driven by its window; what it asks stands in server/modules/slicers/slicers.test.ts',
}

/** Whether everything runs: `./vigil test --all`, and whoever names tests or calls vitest. */
export const isAll = process.env['VIGIL_SUITE'] !== 'gate'

/** How often, how many, which of them: the gate's number, and the one of `--all`. The same code runs either. */
export const inSuite = <T>(gate: T, all: T): T => (isAll ? all : gate)
