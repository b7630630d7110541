import { getGCodeFile } from '@vigil/contract/files/gcode-files.ts'
import {
  cancelSliceJob,
  getSliceJob,
  getSlicerEngine,
  installSlicerEngine,
  listSliceJobs,
  sliceMeshes,
  type SliceParams,
} from '@vigil/contract/slice/slicer.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, sendForm } from '../../../lib/call.ts'

const LOOK_MS = 700

export const engineQuery = queryOptions({
  queryKey: ['slicer', 'engine'],
  queryFn: () => call(getSlicerEngine),
  // One that is on its way is looked at until it is there.
  refetchInterval: ({ state: { data } }) => (data?.installation ? LOOK_MS : false),
})
export const installSlicer = () => call(installSlicerEngine)
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

/** Begins to slice; its job. */
export async function startSlice(params: SliceParams, picture: Blob): Promise<string | null> {
  const form = new FormData()
  form.set('params', JSON.stringify(params))
  form.set('thumbnail', picture, 'thumbnail.jpg')
  const begun = await sendForm(sliceMeshes, form, { wait: 0 })
  return 'job_id' in begun ? begun.job_id : null
}

export const cancelSlice = (id: string) => call(cancelSliceJob, { params: { id } })
