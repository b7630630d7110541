import type { FastifyInstance } from 'fastify'
import pLimit from 'p-limit'
import type { Ctx } from '../../../ctx.ts'
import { NoDesigns } from '../../../engines/designs/index.ts'
import { AppError } from '../../../http/errors.ts'
import { type Language, text } from '../../../http/texts.ts'
import type { UserId } from '../../../lib/id.ts'
import { MESH_BYTES } from '../../../lib/mesh/mesh.ts'
import { bringMesh, type ModelRow } from '../models/index.ts'
import { asAnswer, asking, designsOf } from './designs.service.ts'

/** A file is held in memory while it comes: so many at once. */
const inTurn = pLimit(2)

/** What can be sliced, by the name of its file. */
export const isMesh = (name: string): boolean => /\.stl$/i.test(name)

interface Wish {
  readonly userId: UserId
  readonly id: number
  readonly fileIds: readonly number[]
  readonly language: Language
}

/**
 * Brings files of a design among the models of somebody, in turn, each read and mended as one that was uploaded. Raises 400 for what is
 * no mesh, and what `asAnswer` makes.
 */
export async function bringFiles(
  ctx: Ctx,
  door: Pick<FastifyInstance, 'space'>,
  { userId, id, fileIds, language }: Wish,
): Promise<ModelRow[]> {
  const provider = designsOf(ctx)
  const how = asking(ctx, language)
  const rows: ModelRow[] = []
  try {
    const [design, files] = await Promise.all([provider.design(id, how), provider.files(id, how)])
    for (const fileId of new Set(fileIds)) {
      const file = files.find((one) => one.id === fileId)
      if (!file?.content) throw new NoDesigns('gone')
      const { name, content } = file
      if (!isMesh(name)) throw new AppError(400, { error: text('designs-server', 'noMesh') })
      const filename = files.length === 1 ? `${design.name}.stl` : name
      const row = await inTurn(async () =>
        bringMesh(ctx, door, userId, { filename, bytes: await provider.file(content, MESH_BYTES, how) }),
      )
      rows.push(row)
    }
  } catch (error) {
    throw error instanceof NoDesigns ? asAnswer(error) : error
  }
  return rows
}
