import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { printRoutes } from './prints.routes.ts'

export { finishPrint, startPrint } from './apps.service.ts'
export { spanOf, type Days } from './days.rules.ts'
export { filesWithPrints } from './files.service.ts'
export { heatersOf, trackHeaters, type HeaterChange, type Tracker } from './heaters.rules.ts'
export { applyHeaters } from './heaters.service.ts'
export { decide, LATE_MS, type CurrentPrint, type Progress, type Report } from './lifecycle.rules.ts'
export { selectPrints, type PrintFilter, type PrintScope } from './list.queries.ts'
export { filterOf, presentOwnPrint, scopeOf } from './list.service.ts'
export { requirePrint } from './prints.policy.ts'
export { PRINT_ENDED } from './ended.jobs.ts'
export { presentFile, presentPrint } from './prints.present.ts'
export {
  findCurrentPrint,
  findFilesOf,
  findPrintsById,
  findTrackers,
  type GCodeFileRow,
  type PrintRow,
} from './prints.queries.ts'
export { takeStill } from './still.service.ts'
export { applyReport, currentPrintOf, type Applied } from './prints.service.ts'

/** REST of prints; their life is told by agents through `applyReport`. */
export function registerPrints(app: FastifyInstance, ctx: Ctx): void {
  printRoutes(app, ctx)
}
