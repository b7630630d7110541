import type { Ctx } from '../../ctx.ts'
import type { Line, Receiver } from '../agents/index.ts'
import { tellPassthru } from '../presence/index.ts'

/** Takes what an agent puts under `passthru` to the browsers that show its printer. */
export const openPassthru = (ctx: Ctx, { printerId }: Line): Receiver<'passthru'> => ({
  hear: ({ item }) => tellPassthru(ctx, printerId, item),
})
