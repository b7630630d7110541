import { putShot, type ShotAnswer } from '@vigil/contract/watch/feedback.ts'
import {
  type FirstLayerImage,
  type LayerLabel,
  listFirstLayersV1,
  patchFirstLayerImageEnt,
} from '@vigil/contract/watch/first-layer.ts'
import { getPrint, type Print, updatePrint } from '@vigil/contract/prints/prints.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** A print with the pictures that its owner is asked about. */
export function askedPrintQuery(id: number) {
  return queryOptions({
    queryKey: ['askedPrint', id] as const,
    queryFn: () => call(getPrint, { params: { id }, query: {} }),
    retry: false,
  })
}

/** The judged first layer of a print, with its pictures; null when there is none. */
export function surveyQuery(printId: number) {
  return queryOptions({
    queryKey: ['firstLayer', printId] as const,
    queryFn: async () => (await call(listFirstLayersV1, { query: { print_id: printId } }))[0] ?? null,
    retry: false,
    // What is ticked stands until the page is left.
    refetchOnWindowFocus: false,
  })
}

/** Keeps that the owner lets this print be reviewed, from now on. */
export const consent = (printId: number): Promise<Print> =>
  call(updatePrint, {
    params: { id: printId },
    query: {},
    body: { access_consented_at: new Date().toISOString() },
  })

export const answerShot = (printId: number, shotId: number, answer: ShotAnswer) =>
  call(putShot, { params: { id: shotId }, query: { print_id: printId }, body: { answer } })

export const saveLabels = (imageId: number, labels: readonly LayerLabel[]): Promise<FirstLayerImage> =>
  call(patchFirstLayerImageEnt, { params: { id: imageId }, body: { labels: labels.join('|') } })
