import {
  bulkDeleteGCodeFiles,
  bulkMoveGCodeFiles,
  deleteGCodeFile,
  getGCodeFile,
  getGCodeStorage,
  getVersion,
  listGCodeCopies,
  listGCodeFiles,
  patchGCodeFile,
  putGCodeFile,
  uploadGCodeFile,
  uploadGCodeFileInParts,
} from '@vigil/contract/files/gcode-files.ts'
import type { FastifyInstance } from 'fastify'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { notFound } from '../../../http/errors.ts'
import type { SlicerPrincipal, UserPrincipal } from '../../../http/principal.ts'
import { resumable } from '../../../http/resumable.ts'
import { route } from '../../../http/route.ts'
import { type Stored, upload } from '../../../http/upload.ts'
import { filesWithPrints } from '../../prints/prints/index.ts'
import { findFoldersById } from '../folders/folders.queries.ts'
import type { FileRow } from '../records/records.queries.ts'
import { findCopies, findOwnFile, findStored } from '../records/store.queries.ts'
import { inFolder, noPage, pageAt, presentFolderBase, presentStored } from './store.present.ts'
import {
  changeFile,
  deleteFiles,
  moveFiles,
  type Named,
  placeOf,
  recordFile,
  roomOf,
} from './store.service.ts'

/** Files of the cloud store, and those on printers as their owner sees them (docs/wire/rest.md 9). */
export function storeRoutes(app: FastifyInstance, ctx: Ctx): void {
  // To a slicer a file has no prints: those name their printers with all that belongs to them.
  const present = async (
    principal: UserPrincipal | SlicerPrincipal,
    rows: readonly FileRow[],
    edge: Edge,
  ) => {
    const [files, parents] = await Promise.all([
      filesWithPrints(ctx, principal, rows, edge),
      findFoldersById(
        ctx.db,
        principal.userId,
        rows.flatMap(({ parentFolderId }) => parentFolderId ?? []),
      ),
    ])
    return files.map((file) => inFolder(file, parents))
  }

  route(app, listGCodeFiles, async ({ principal, query, edge, request }) => {
    if (query.page < 1) throw noPage()
    const { page, page_size: limit, sorting, q } = query
    const found = await findStored(ctx.db, principal.userId, {
      parent: query.parent_folder,
      q,
      safeFilename: query.safe_filename,
      signature: query.agent_signature,
      printerId: query.resident_printer,
      sorting,
      limit,
      offset: (page - 1) * limit,
    })
    if (page > 1 && found.rows.length === 0) throw noPage()
    const results = await present(principal, found.rows, edge)
    return pageAt(edge, request.url, query, { results, count: found.count })
  })
  route(app, getGCodeFile, async ({ principal, params, edge }) => {
    const row = await findOwnFile(ctx.db, principal.userId, params.id)
    const [file] = row === null ? [] : await present(principal, [row], edge)
    if (!file) throw notFound()
    return file
  })
  route(app, listGCodeCopies, async ({ principal: { userId }, params: { id } }) => {
    const row = await findOwnFile(ctx.db, userId, id)
    if (row === null) throw notFound()
    const copies = await findCopies(ctx.db, userId, row)
    const parents = await findFoldersById(
      ctx.db,
      userId,
      copies.flatMap(({ parentFolderId }) => parentFolderId ?? []),
    )
    return copies.map((copy) => {
      const parent = parents.get(copy.parentFolderId ?? -1)
      return {
        id: copy.id,
        filename: copy.filename,
        parent_folder: parent ? presentFolderBase(parent) : null,
      }
    })
  })
  route(app, getGCodeStorage, async ({ principal: { userId } }) => {
    const { usedBytes, gCodeFileBytes, gCodeStorageBytes } = await roomOf(ctx, userId)
    const limit = (bytes: number) => (Number.isFinite(bytes) ? bytes : null)
    return {
      used_bytes: usedBytes,
      storage_bytes: limit(gCodeStorageBytes),
      file_bytes: limit(gCodeFileBytes),
    }
  })
  uploads(app, ctx)
  for (const change of [patchGCodeFile, putGCodeFile])
    route(app, change, async ({ principal: { userId }, params, body, edge }) =>
      presentStored(ctx, await changeFile(ctx, userId, params.id, body), edge),
    )
  route(app, deleteGCodeFile, async ({ principal: { userId }, params }) => {
    if ((await deleteFiles(ctx, userId, [params.id])) === 0) throw notFound()
    return null
  })
  route(app, bulkDeleteGCodeFiles, async ({ principal: { userId }, body }) => {
    await deleteFiles(ctx, userId, body.file_ids)
    return null
  })
  route(app, bulkMoveGCodeFiles, async ({ principal: { userId }, body }) => {
    await moveFiles(ctx, userId, body.file_ids, body.parent_folder)
    return null
  })
  route(app, getVersion, () => ({ version: '1.0.0' as const }))
}

/** A file comes whole, or in parts that can be resumed: these from people alone, as no slicer knows how. */
function uploads(app: FastifyInstance, ctx: Ctx): void {
  type From = { readonly principal: { readonly userId: UserId } }
  type Sent = From & { readonly body: Named; readonly edge: Edge }
  const rules = { place: ({ principal }: From) => placeOf(ctx, principal.userId) }
  const take = async ({ principal, body, edge }: Sent, stored: Stored) =>
    presentStored(ctx, await recordFile(ctx, principal.userId, stored, body), edge)
  upload(app, ctx, uploadGCodeFile, rules, take)
  resumable(app, ctx, uploadGCodeFileInParts, { ...rules, container: 'tsd-gcodes' }, take)
}
