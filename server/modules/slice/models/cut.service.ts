import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pLimit from 'p-limit'
import type { Ctx } from '../../../ctx.ts'
import { cutFile } from '../../../engines/mesh/index.ts'
import type { CutPlane } from '../../../engines/mesh/port.ts'
import { notFound } from '../../../http/errors.ts'
import type { UserId } from '../../../lib/id.ts'
import { BadMesh } from '../../../lib/mesh/mesh.ts'
import { bringMesh } from './bring.service.ts'
import type { ModelRow } from './models.queries.ts'
import { deleteModel, meshRefused, openModel } from './models.service.ts'

/** Its mesh lies on the disk meanwhile, and its halves are held in memory: one at a time, whoever asks. */
const inTurn = pLimit(1)

interface Cut extends CutPlane {
  readonly keep: 'both' | 'below' | 'above'
}

/** Cuts a model of somebody's: what is kept of it becomes models of theirs, all or none; it stays itself. Raises 400 where it cannot be cut there. */
export const cutModel = (...asked: Parameters<typeof cutNow>): Promise<ModelRow[]> =>
  inTurn(() => cutNow(...asked))

async function cutNow(
  ctx: Ctx,
  door: Pick<FastifyInstance, 'space'>,
  userId: UserId,
  id: number,
  { keep, ...plane }: Cut,
): Promise<ModelRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-cut-'))
  const files = {
    from: join(folder, 'whole.stl'),
    below: join(folder, 'below.stl'),
    above: join(folder, 'above.stl'),
  }
  const rows: ModelRow[] = []
  try {
    const whole = await openModel(ctx, userId, id, files.from)
    if (whole === null) throw notFound()
    await cutFile(files, plane, ctx.stopping)
    const sides = (['below', 'above'] as const).filter((side) => keep === 'both' || keep === side)
    for (const [i, side] of sides.entries()) {
      const filename = `${whole.name} (${i + 1}).stl`
      rows.push(await bringMesh(ctx, door, userId, { filename, bytes: await readFile(files[side]) }))
    }
  } catch (error) {
    for (const row of rows) await deleteModel(ctx, userId, row.id)
    throw error instanceof BadMesh ? meshRefused(error.why) : error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return rows
}
