import { z } from 'zod'
import { endpoint, plainRefusal, type Reply } from '../endpoint.ts'
import { id, text } from '../values.ts'
import { meshModel } from './models.ts'

const callers = ['session', 'oauth'] as const
/** Designs on a page of the list. */
export const DESIGNS_PAGE = 30

const maker = z.object({ first_name: z.string(), thumbnail: z.string().nullable() })

export const designHit = z
  .object({
    id: z.int(),
    name: z.string(),
    /** Pictures are ours: signed addresses on this server. */
    preview_image: z.string().nullable(),
    creator: maker,
    like_count: z.int(),
  })
  .meta({ id: 'DesignHit' })
export type DesignHit = z.infer<typeof designHit>

const design = designHit
  .extend({
    collect_count: z.int(),
    file_count: z.int(),
    /** Sanitised: paragraphs, lists, emphasis, and links that open elsewhere. */
    description_html: z.string(),
    license: z.string().nullable(),
    public_url: z.string().nullable(),
  })
  .meta({ id: 'Design' })
export type Design = Reply<typeof getDesign>

export const designComment = z.object({
  id: z.int(),
  body: z.string(),
  user: z.object({ name: z.string(), thumbnail: z.string().nullable() }),
})
export type DesignComment = z.infer<typeof designComment>

export const designFile = z
  .object({
    id: z.int(),
    name: z.string(),
    size: z.int(),
    thumbnail: z.string().nullable(),
    /** Whether it can be sliced. */
    is_mesh: z.boolean(),
  })
  .meta({ id: 'DesignFile' })
export type DesignFile = z.infer<typeof designFile>

/** `is_old`: the catalogue does not answer, this is what it said before. */
const isOld = z.boolean()

export const listDesigns = endpoint({
  method: 'GET',
  path: '/ent/api/designs/',
  callers,
  summary: 'Designs by words, or the popular ones of the last 30 days; 30 a page',
  query: z.object({
    keyword: text(200).default(''),
    page: z.coerce.number().int().min(1).max(300).default(1),
  }),
  response: z.object({ provider: z.string(), hits: z.array(designHit), is_old: isOld }),
})

const params = z.object({ id })

export const getDesign = endpoint({
  method: 'GET',
  path: '/ent/api/designs/:id/',
  callers,
  summary: 'A design',
  params,
  response: design.extend({ is_old: isOld }),
})

export const listDesignImages = endpoint({
  method: 'GET',
  path: '/ent/api/designs/:id/images/',
  callers,
  summary: 'Pictures of a design',
  params,
  response: z.array(z.object({ sizes: z.array(z.object({ url: z.string() })) })),
})

export const listDesignComments = endpoint({
  method: 'GET',
  path: '/ent/api/designs/:id/comments/',
  callers,
  summary: 'Up to 100 comments on a design',
  params,
  response: z.array(designComment),
})

export const listDesignFiles = endpoint({
  method: 'GET',
  path: '/ent/api/designs/:id/files/',
  callers,
  summary: 'The files of a design',
  params,
  response: z.array(designFile),
})

export const bringDesign = endpoint({
  method: 'POST',
  path: '/ent/api/designs/:id/models/',
  callers,
  summary: 'Brings meshes of a design among the models of the caller, as if they had been uploaded',
  params,
  body: z.object({ file_ids: z.array(id).min(1).max(20) }),
  status: 201,
  answers: { 400: plainRefusal, 413: plainRefusal },
  response: z.array(meshModel),
})
