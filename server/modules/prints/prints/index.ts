import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { pictureBeginning } from '../lifecycle/still.service.ts'
import { printRoutes } from './prints.routes.ts'

export { finishPrint, startPrint } from './apps.service.ts'
export { spanOf, type Days } from '../history/days.rules.ts'
export { filesWithPrints } from '../history/files.service.ts'
export { heatersOf, trackHeaters, type HeaterChange, type Tracker } from '../lifecycle/heaters.rules.ts'
export { applyHeaters } from './heaters.service.ts'
export {
  decide,
  LATE_MS,
  type CurrentPrint,
  type Progress,
  type Report,
} from '../lifecycle/lifecycle.rules.ts'
export { selectPrints, type PrintFilter, type PrintScope } from '../history/list.queries.ts'
export { filterOf, presentOwnPrint, scopeOf } from '../history/list.service.ts'
export { requirePrint } from '../history/prints.policy.ts'
export { PRINT_ENDED } from '../lifecycle/ended.jobs.ts'
export { presentFile, presentPrint } from '../history/prints.present.ts'
export {
  findCurrentPrint,
  findFilesOf,
  findPrintsById,
  findTrackers,
  type GCodeFileRow,
  type PrintRow,
} from '../lifecycle/prints.queries.ts'
export { takeStill } from '../lifecycle/still.service.ts'
export { applyBeginning, applyReport, currentPrintOf, type Applied } from './prints.service.ts'

/** REST of prints; their life is told by agents through `applyBeginning` and `applyReport`. */
export function registerPrints(app: FastifyInstance, ctx: Ctx): void {
  printRoutes(app, ctx)
  ctx.events.on('print.pictured', (of) => {
    pictureBeginning(ctx, of).catch((error: unknown) =>
      ctx.log.warn({ err: error, ...of }, 'a beginning stays without its picture'),
    )
  })
}
