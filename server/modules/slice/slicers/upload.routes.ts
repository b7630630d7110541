import { octoUpload } from '@vigil/contract/slice/octoprint.ts'
import type { FastifyInstance } from 'fastify'
import type { FileId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { languageOf } from '../../../http/route.ts'
import { type Text, text } from '../../../http/texts.ts'
import { upload } from '../../../http/upload.ts'
import { startCloudPrint } from '../../files/cloud-prints/index.ts'
import { folderAt, placeOf, recordFile } from '../../files/gcode-files/index.ts'
import { printerOf, type Slicer } from './printer.service.ts'

/** `POST /api/files/local`: a file that comes into the cloud, and goes on to the printer when that is asked for. */
export function uploadRoute(app: FastifyInstance, ctx: Ctx): void {
  const place = ({ principal }: { principal: Slicer }) => placeOf(ctx, principal.userId)
  upload(app, ctx, octoUpload, { place }, async ({ principal, body, edge, request, reply }, stored) => {
    const { path: asked, print } = body
    const folder = await folderAt(ctx, principal.userId, asked)
    const parts = { filename: stored.filename, parent_folder: folder.id }
    const { id, filename: name } = await recordFile(ctx, principal.userId, stored, parts)
    const why = print ? await refusalOf(ctx, principal, id) : null
    if (why !== null) {
      // The file stays: nothing that came is lost because it is not printed. 409 has words of its own in Cura.
      const reason = why.in(languageOf(request))
      const said = text('slicers-server', 'storedOnly', { reason }).in(languageOf(request))
      reply.status(422).header('content-type', 'text/plain').send(Buffer.from(said))
    }
    const path = [...folder.names, name].join('/')
    const resource = `${edge.origin}${edge.prefix}/api/files/local/${path.split('/').map(encodeURIComponent).join('/')}`
    if (why === null) reply.header('location', resource)
    return {
      done: true as const,
      effectivePrint: print,
      effectiveSelect: false as const,
      files: {
        local: { name, path, type: 'machinecode' as const, origin: 'local' as const, refs: { resource } },
      },
    }
  })
}

/** Has a file printed; why it is not, else null. */
async function refusalOf(ctx: Ctx, slicer: Slicer, fileId: FileId): Promise<Text | null> {
  if (slicer.kind === 'slicer' && slicer.via === 'app') return text('slicers-server', 'mayNotPrint')
  const chosen = await printerOf(ctx, slicer)
  if ('why' in chosen) return chosen.why
  const { printer } = chosen
  const by = { actor: 'api', userId: slicer.userId } as const
  const answer = await startCloudPrint(ctx, { printer, fileId, by })
  return answer.ok ? null : answer.text
}
