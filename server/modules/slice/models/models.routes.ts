import {
  cutMeshModel,
  deleteMeshModel,
  listMeshModels,
  type MeshModel,
  renameMeshModel,
  uploadMeshModel,
} from '@vigil/contract/slice/models.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { stream } from '../../../http/stream.ts'
import { upload } from '../../../http/upload.ts'
import { mediaUrl, storedContent } from '../../core/media/index.ts'
import { cutModel } from './cut.service.ts'
import { findModel, findModels, type ModelRow, renameModel } from './models.queries.ts'
import { deleteModel, MOST_MODELS, placeOfMesh, recordModel } from './models.service.ts'

/** A mesh of somebody's, as its owner sees it. */
export const presentModel = (ctx: Ctx, row: ModelRow, edge: Edge): MeshModel => ({
  id: row.id,
  name: row.name,
  num_bytes: row.numBytes,
  triangles: row.triangles,
  size: [row.size[0] ?? 0, row.size[1] ?? 0, row.size[2] ?? 0],
  notes: row.notes,
  family: row.family ?? row.id,
  mesh_url: `/ent/api/slicer/models/${row.id}/mesh.stl`,
  thumbnail_url: mediaUrl(ctx, row.picture, edge),
  created_at: row.createdAt.toISOString(),
})

/** "My models": meshes of the caller's own. */
export function modelRoutes(app: FastifyInstance, ctx: Ctx): void {
  const present = (row: ModelRow, edge: Edge) => presentModel(ctx, row, edge)

  route(app, listMeshModels, async ({ principal: { userId }, edge }) =>
    (await findModels(ctx.db, userId, MOST_MODELS)).map((row) => present(row, edge)),
  )
  upload(
    app,
    ctx,
    uploadMeshModel,
    { place: ({ principal }) => placeOfMesh(principal.userId) },
    async ({ principal: { userId }, body, edge }, stored) =>
      present(await recordModel(ctx, userId, stored, body.version_of), edge),
  )
  route(app, renameMeshModel, async ({ principal: { userId }, params, body, edge }) => {
    const row = await renameModel(ctx.db, userId, params.id, body.name)
    if (!row) throw notFound()
    return present(row, edge)
  })
  route(app, cutMeshModel, async ({ principal: { userId }, params, body, edge }) =>
    (await cutModel(ctx, app, userId, params.id, body)).map((row) => present(row, edge)),
  )
  route(app, deleteMeshModel, async ({ principal: { userId }, params }) => {
    await deleteModel(ctx, userId, params.id)
    return null
  })
  stream(
    app,
    { path: '/ent/api/slicer/models/:id/mesh.stl', callers: ['session', 'oauth'] },
    async ({ principal: { userId }, params }) => {
      const number = Number(params['id'])
      const row =
        Number.isInteger(number) && number < 2 ** 31 ? await findModel(ctx.db, userId, number) : undefined
      if (!row) throw notFound()
      return await storedContent(ctx, row.content, 'private, max-age=86400')
    },
  )
}
