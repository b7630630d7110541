import * as api from '@vigil/contract/slice/designs.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { Comment, Design, Hit } from '../../../engines/designs/port.ts'
import { notFound } from '../../../http/errors.ts'
import { languageOf, route } from '../../../http/route.ts'
import { stream } from '../../../http/stream.ts'
import { presentModel } from '../models/index.ts'
import { bringFiles, isMesh } from './bring.service.ts'
import { asking, cleanHtml, designsOf, heldBy, pictureUrl, readPicture, said } from './designs.service.ts'

/** A catalogue of designs, asked by the server: no credential of it is in any browser. */
export function designRoutes(app: FastifyInstance, ctx: Ctx): void {
  const provider = () => designsOf(ctx)
  const held = heldBy(ctx)
  route(app, api.listDesigns, async ({ query: { keyword, page }, request }) => {
    const language = languageOf(request)
    const words = keyword.trim()
    const key = JSON.stringify([words, page, language])
    const { it, isOld } = await said(ctx, held.lists, key, () =>
      provider().list(words, page, asking(ctx, language)),
    )
    return { provider: provider().name, hits: it.map((hit) => presentHit(ctx, hit)), is_old: isOld }
  })
  route(app, api.getDesign, async ({ params: { id }, request }) => {
    const language = languageOf(request)
    const { it, isOld } = await said(ctx, held.designs, `${id} ${language}`, () =>
      provider().design(id, asking(ctx, language)),
    )
    return { ...(await presentDesign(ctx, it)), is_old: isOld }
  })
  route(app, api.listDesignImages, async ({ params: { id } }) => {
    const { it } = await said(ctx, held.pictureLists, `${id}`, () =>
      provider().pictures(id, asking(ctx, 'en')),
    )
    return it.map((key) => ({ sizes: [{ url: pictureUrl(ctx, key) ?? '' }] }))
  })
  route(app, api.listDesignComments, async ({ params: { id } }) => {
    const { it } = await said(ctx, held.comments, `${id}`, () => provider().comments(id, asking(ctx, 'en')))
    return it.map((comment) => presentComment(ctx, comment))
  })
  route(app, api.listDesignFiles, async ({ params: { id } }) => {
    const { it } = await said(ctx, held.files, `${id}`, () => provider().files(id, asking(ctx, 'en')))
    return it.map(({ id: fileId, name, numBytes, picture }) => ({
      id: fileId,
      name,
      size: numBytes,
      thumbnail: pictureUrl(ctx, picture),
      is_mesh: isMesh(name),
    }))
  })
  route(app, api.bringDesign, async ({ principal: { userId }, params: { id }, body, request, edge }) => {
    const wish = { userId, id, fileIds: body.file_ids, language: languageOf(request) }
    return (await bringFiles(ctx, app, wish)).map((row) => presentModel(ctx, row, edge))
  })
  pictures(app, ctx)
}

const presentHit = (ctx: Ctx, { id, name, picture, maker, likes }: Hit) => ({
  id,
  name,
  preview_image: pictureUrl(ctx, picture),
  creator: { first_name: maker.name, thumbnail: pictureUrl(ctx, maker.picture) },
  like_count: likes,
})
const presentDesign = async (ctx: Ctx, design: Design) => ({
  ...presentHit(ctx, design),
  collect_count: design.collects,
  file_count: design.files,
  description_html: await cleanHtml(design.html),
  license: design.license,
  public_url: design.url,
})
const presentComment = (ctx: Ctx, { id, body, maker }: Comment) => ({
  id,
  body,
  user: { name: maker.name, thumbnail: pictureUrl(ctx, maker.picture) },
})

const asked = z.object({ of: z.string().max(2_000).optional().catch(undefined) })

function pictures(app: FastifyInstance, ctx: Ctx): void {
  stream(
    app,
    { path: '/ent/api/designs/pictures/:token', callers: ['session', 'oauth'] },
    async ({ params, request }) => {
      const { of } = asked.parse(request.query)
      const mark = params['token'] ?? ''
      if (of === undefined) throw notFound()
      const bytes = await readPicture(ctx, of, mark)
      if (bytes === null) throw notFound()
      return {
        numBytes: bytes.length,
        modifiedAt: new Date(0),
        etag: `"${mark.slice(0, 24)}"`,
        headers: { 'content-type': 'image/webp', 'cache-control': 'private, max-age=604800' },
        open: (part) => Promise.resolve(part ? bytes.subarray(part.start, part.end + 1) : bytes),
      }
    },
  )
}
