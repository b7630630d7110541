import type { GCodeFile } from '@vigil/contract/prints/prints.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import type { Principal } from '../../../http/principal.ts'
import { printsAskedAbout } from '../../watch/feedback/index.ts'
import { printerBasesOf } from '../../watch/printer-base/index.ts'
import { presentFile, presentPrint } from './prints.present.ts'
import { findPrintsOfFiles, type GCodeFileRow } from '../lifecycle/prints.queries.ts'

/** Of all files of an answer together. */
const MOST_PRINTS = 1000

/**
 * Files of the wire, each with its newest prints on printers that the caller may see: an agent those of its own printer,
 * since a print names its printer with its token. A constant number of statements, however many files.
 */
export async function filesWithPrints(
  ctx: Ctx,
  principal: Principal,
  files: readonly GCodeFileRow[],
  edge: Edge,
): Promise<GCodeFile[]> {
  const ids = files.map(({ id }) => id)
  const prints = await findPrintsOfFiles(ctx.db, principal, ids, MOST_PRINTS)
  const printers = await printerBasesOf(
    ctx,
    principal,
    prints.flatMap(({ printerId }) => printerId ?? []),
  )
  const asked = await printsAskedAbout(
    ctx.db,
    prints.map(({ id }) => id),
  )
  const ofFile = Map.groupBy(prints, ({ gCodeFileId }) => gCodeFileId)
  return files.map((file) => ({
    ...presentFile(ctx, file, edge),
    print_set: (ofFile.get(file.id) ?? []).map((print) =>
      presentPrint(
        ctx,
        print,
        { printer: printers.get(print.printerId ?? -1) ?? null, file, isAsked: asked.has(print.id) },
        edge,
      ),
    ),
  }))
}
