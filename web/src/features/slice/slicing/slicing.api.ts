import { getGCodeFile } from '@vigil/contract/files/gcode-files.ts'
import {
  cutMeshModel,
  deleteMeshModel,
  listMeshModels,
  uploadMeshModel,
} from '@vigil/contract/slice/models.ts'
import {
  cancelSliceJob,
  getSliceJob,
  getSlicePreset,
  getSlicerEngine,
  getSliceSettings,
  installSlicerEngine,
  listMachineModels,
  listPrintProcesses,
  listSliceJobs,
  listSliceFilaments,
  saveSliceSettings,
  type SliceMachine,
  sliceMeshes,
  type SliceParams,
  type SlicePreset,
} from '@vigil/contract/slice/slicer.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, sendForm } from '../../../lib/call.ts'
import type { CutPlane } from './cutting.ts'

const LOOK_MS = 700

export const engineQuery = queryOptions({
  queryKey: ['slicer', 'engine'],
  queryFn: () => call(getSlicerEngine),
  // One that is on its way is looked at until it is there.
  refetchInterval: ({ state: { data } }) => (data?.installation ? LOOK_MS : false),
})
export const installSlicer = () => call(installSlicerEngine)
export const machinesQuery = queryOptions({
  queryKey: ['slicer', 'machines'],
  queryFn: () => call(listMachineModels),
  staleTime: 600_000,
})
/** What was sliced with last. */
export const settingsQuery = queryOptions({
  queryKey: ['slicer', 'settings'],
  queryFn: () => call(getSliceSettings),
  staleTime: Infinity,
})
export const filamentsQuery = (machineId: number) =>
  queryOptions({
    queryKey: ['slicer', 'filaments', machineId],
    queryFn: () => call(listSliceFilaments, { query: { machine_id: machineId } }),
  })
export const processesQuery = (machineId: number) =>
  queryOptions({
    queryKey: ['slicer', 'processes', machineId],
    queryFn: () => call(listPrintProcesses, { query: { machine_id: machineId } }),
  })
/** What a profile says; 0 is none. */
export const presetQuery = (id: number) =>
  queryOptions({
    queryKey: ['slicer', 'preset', id],
    queryFn: () => call(getSlicePreset, { params: { id } }),
    enabled: id !== 0,
    staleTime: Infinity,
  })
export const modelsQuery = queryOptions({
  queryKey: ['slicer', 'models'],
  queryFn: () => call(listMeshModels),
})
/** How a slicing gets on, asked again until it is over. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['slicer', 'job', id],
    queryFn: () => call(getSliceJob, { params: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.status === 'queued' || data.status === 'running' ? LOOK_MS : false,
  })
/** What was sliced before, the newest first. */
export const jobsQuery = queryOptions({
  queryKey: ['slicer', 'jobs'],
  queryFn: () => call(listSliceJobs),
})
export const slicedQuery = (id: number) =>
  queryOptions({
    queryKey: ['g-code-file', 'sliced', id],
    queryFn: () => call(getGCodeFile, { params: { id } }),
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

export const keepSettings = (machine: SliceMachine, filament: SlicePreset, process: SlicePreset) =>
  call(saveSliceSettings, {
    body: { machine_id: machine.id, filament_id: filament.id, print_process_id: process.id },
  })

/** Begins to slice; its job. */
export async function startSlice(params: SliceParams, picture: Blob): Promise<string | null> {
  const form = new FormData()
  form.set('params', JSON.stringify(params))
  form.set('thumbnail', picture, 'thumbnail.jpg')
  const begun = await sendForm(sliceMeshes, form, { wait: 0 })
  return 'job_id' in begun ? begun.job_id : null
}

export const cancelSlice = (id: string) => call(cancelSliceJob, { params: { id } })
