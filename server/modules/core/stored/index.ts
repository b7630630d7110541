import type { Ctx } from '../../../ctx.ts'
import { sweepStored } from './sweep.service.ts'

export { filesOf, foldersOf } from './claims.queries.ts'
export { countMissingFiles } from './sweep.service.ts'

const LONGEST_MS = 3_600_000

/** Looks every night whether every stored file has its row, and every row its file. */
export function registerStored(ctx: Ctx): void {
  ctx.jobs.schedule('stored', '11 4 * * *', (signal) => sweepStored(ctx, signal), { timeoutMs: LONGEST_MS })
}
