import { z } from 'zod'
import { endpoint, plainRefusal } from '../endpoint.ts'
import { id, integer, text, timestamp } from '../values.ts'

const callers = ['session', 'oauth'] as const
const params = z.object({ id })

/** What was mended, or is odd, in a mesh that was taken, and how often (docs/rules/slice.md 5). */
export const meshNote = z
  .object({
    about: z.enum(['count', 'degenerate', 'flipped', 'open', 'uneven', 'parts', 'tiny', 'huge', 'unchecked']),
    count: z.int(),
  })
  .meta({ id: 'MeshNote' })
export type MeshNote = z.infer<typeof meshNote>

/** A mesh that somebody has brought. Lengths in mm. */
export const meshModel = z
  .object({
    id: z.int(),
    name: z.string(),
    /** Of the mesh as it is kept: binary STL. */
    num_bytes: z.int(),
    triangles: z.int(),
    size: z.tuple([z.number(), z.number(), z.number()]),
    notes: z.array(meshNote),
    /** What the slicer takes as `mesh_url`: answered to its owner alone. */
    mesh_url: z.string(),
    /** Versions of one model have the same: the id of the first. */
    family: z.int(),
    thumbnail_url: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'MeshModel' })
export type MeshModel = z.infer<typeof meshModel>

export const listMeshModels = endpoint({
  method: 'GET',
  path: '/ent/api/slicer/models/',
  callers,
  summary: "The caller's meshes, the newest first",
  response: z.array(meshModel),
})

export const uploadMeshModel = endpoint({
  method: 'POST',
  path: '/ent/api/slicer/models/',
  callers,
  summary: 'Brings a mesh: STL, 3MF or OBJ of up to 100 MB and 3 million triangles',
  upload: 'file',
  status: 201,
  body: z.object({
    /** It is another version of this one of the caller's. */
    version_of: integer(1, 2 ** 31 - 1).optional(),
  }),
  answers: { 400: plainRefusal, 413: plainRefusal },
  response: meshModel,
})

const name = text(200)
  .transform((value) => value.trim())
  .pipe(z.string().min(1, { error: 'This field may not be blank.' }))

export const renameMeshModel = endpoint({
  method: 'PATCH',
  path: '/ent/api/slicer/models/:id/',
  callers,
  summary: 'Renames a mesh',
  params,
  body: z.object({ name }),
  response: meshModel,
})

const part = z.number().min(-1).max(1)

export const cutMeshModel = endpoint({
  method: 'POST',
  path: '/ent/api/slicer/models/:id/cut/',
  callers,
  summary: 'Cuts a mesh by a plane: its sides, closed, become models of the caller; the mesh stays as it is',
  params,
  status: 201,
  body: z.object({
    /** Across the plane, as the mesh lies in its file. */
    normal: z.tuple([part, part, part]).refine((all) => Math.hypot(...all) > 0.001, {
      error: 'This points nowhere.',
    }),
    /** Of the plane from the middle of the mesh, along the normal, in mm. */
    offset: z.number().min(-1_000_000).max(1_000_000),
    keep: z.enum(['both', 'below', 'above']).default('both'),
  }),
  answers: { 400: plainRefusal, 413: plainRefusal },
  response: z.array(meshModel),
})

export const deleteMeshModel = endpoint({
  method: 'DELETE',
  path: '/ent/api/slicer/models/:id/',
  callers,
  summary: 'Deletes a mesh; what was sliced of it stays',
  params,
  response: null,
  status: 204,
})
