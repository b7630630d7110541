import {
  bulkDeleteGCodeFolders,
  bulkMoveGCodeFolders,
  createGCodeFolder,
  deleteGCodeFolder,
  getGCodeFolder,
  getGCodeFolderPath,
  listGCodeFolders,
  patchGCodeFolder,
  putGCodeFolder,
} from '@vigil/contract/files/gcode-files.ts'
import type { FastifyInstance } from 'fastify'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { findFolders, findFoldersById, findPathTo, type FolderRow } from '../folders/folders.queries.ts'
import { changeFolder, createFolder, deleteFolders, moveFolders } from '../folders/folders.service.ts'
import { noPage, pageAt, presentFolder, presentFolderBase } from './store.present.ts'

/** Folders of the cloud store (docs/wire/rest.md 9). */
export function folderRoutes(app: FastifyInstance, ctx: Ctx): void {
  const parentsOf = (userId: UserId, rows: readonly FolderRow[]) =>
    findFoldersById(
      ctx.db,
      userId,
      rows.flatMap(({ parentFolderId }) => parentFolderId ?? []),
    )

  route(app, listGCodeFolders, async ({ principal: { userId }, query, edge, request }) => {
    if (query.page < 1) throw noPage()
    const { page, page_size: limit, parent_folder: parent, sorting } = query
    const found = await findFolders(ctx.db, userId, { parent, sorting, limit, offset: (page - 1) * limit })
    if (page > 1 && found.rows.length === 0) throw noPage()
    const parents = await parentsOf(userId, found.rows)
    const results = found.rows.map((row) => presentFolder(row, parents))
    return pageAt(edge, request.url, query, { results, count: found.count })
  })
  route(app, createGCodeFolder, async ({ principal: { userId }, body }) =>
    presentFolderBase(await createFolder(ctx, userId, body)),
  )
  route(app, getGCodeFolder, async ({ principal: { userId }, params: { id } }) => {
    const row = (await findFoldersById(ctx.db, userId, [id])).get(id)
    if (!row) throw notFound()
    return presentFolder(row, await parentsOf(userId, [row]))
  })
  route(app, getGCodeFolderPath, async ({ principal: { userId }, params: { id } }) => {
    const path = await findPathTo(ctx.db, userId, id)
    if (path.length === 0) throw notFound()
    return path.map(presentFolderBase)
  })
  for (const change of [patchGCodeFolder, putGCodeFolder])
    route(app, change, async ({ principal: { userId }, params, body }) =>
      presentFolderBase(await changeFolder(ctx, userId, params.id, body)),
    )
  route(app, deleteGCodeFolder, async ({ principal: { userId }, params }) => {
    if ((await deleteFolders(ctx, userId, [params.id])) === 0) throw notFound()
    return null
  })
  route(app, bulkDeleteGCodeFolders, async ({ principal: { userId }, body }) => {
    await deleteFolders(ctx, userId, body.folder_ids)
    return null
  })
  route(app, bulkMoveGCodeFolders, async ({ principal: { userId }, body }) => {
    await moveFolders(ctx, userId, body.folder_ids, body.parent_folder)
    return null
  })
}
