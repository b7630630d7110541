import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { handleFileJobs } from '../folders/blobs.jobs.ts'
import { folderRoutes } from './folders.routes.ts'
import { agentFileRoutes } from '../records/records.routes.ts'
import { storeRoutes } from './store.routes.ts'

export type { FileRow } from '../records/records.queries.ts'
export { findOwnFile } from '../records/store.queries.ts'
export { folderAt } from '../folders/folders.service.ts'
export { presentStored } from './store.present.ts'
export { placeOf, recordFile } from './store.service.ts'

/** G-code files: which there are, where they live, and the cloud store of each owner. */
export function registerGCodeFiles(app: FastifyInstance, ctx: Ctx): void {
  agentFileRoutes(app, ctx)
  folderRoutes(app, ctx)
  storeRoutes(app, ctx)
  handleFileJobs(ctx)
}
