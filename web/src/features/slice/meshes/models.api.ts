import {
  cutMeshModel,
  deleteMeshModel,
  listMeshModels,
  uploadMeshModel,
} from '@vigil/contract/slice/models.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, sendForm } from '../../../lib/call.ts'
import type { CutPlane } from './cutting.ts'

/** Models of one's own. */
export const modelsQuery = queryOptions({
  queryKey: ['slicer', 'models'],
  queryFn: () => call(listMeshModels),
})

/** Brings a mesh: a model of its own, or another version of one. */
export async function uploadModel(file: File, versionOf?: number) {
  const form = new FormData()
  if (versionOf !== undefined) form.set('version_of', String(versionOf))
  form.set('file', file)
  return await sendForm(uploadMeshModel, form)
}

/** Cuts a model of one's own: what is kept of it, as models. */
export const cutModel = (id: number, plane: CutPlane, keep: 'both' | 'below' | 'above') =>
  call(cutMeshModel, { params: { id }, body: { ...plane, keep } })

export const dropModel = (id: number) => call(deleteMeshModel, { params: { id } })
