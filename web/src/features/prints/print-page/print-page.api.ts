import {
  getPrintLink,
  getSharedTimelapse,
  makePrintLink,
  revokePrintLink,
} from '@vigil/contract/prints/print-links.ts'
import { getPrintTemperatures } from '@vigil/contract/printers/temperatures.ts'
import { getPrinter } from '@vigil/contract/printers/printers.ts'
import { deletePrint, getPrint, updatePrint } from '@vigil/contract/prints/prints.ts'
import { getPredictionJson, getTimelapse, listPrintFrames } from '@vigil/contract/prints/timelapse.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import type { Verdict } from '../../../lib/thumbs.ts'
import { readHistory } from '../../printers/temperatures/index.ts'
import { isRunning } from './lapse.rules.ts'

/** A print that runs is asked for again so often; its printer's line says the rest. */
const RUNNING_MS = 10_000
/** A time-lapse that is being made. */
const WORKING_MS = 2_000
/** What is not there does not come by asking again. */
const retry = (count: number, error: unknown) => count < 2 && problemOf(error).kind !== 'missing'

export const printKey = (id: number) => ['print', id] as const

export const printQuery = (id: number) =>
  queryOptions({
    queryKey: printKey(id),
    queryFn: () => call(getPrint, { params: { id }, query: {} }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? RUNNING_MS : false),
    retry,
  })

/** How far the time-lapse is: asked again while it is being made. */
export const timelapseQuery = (id: number, runs: boolean) =>
  queryOptions({
    queryKey: [...printKey(id), 'timelapse', runs] as const,
    queryFn: () => call(getTimelapse, { params: { id } }),
    refetchInterval: ({ state }) => {
      const now = state.data?.state
      return now === 'waiting' || now === 'working' ? WORKING_MS : false
    },
    retry,
  })

/** What the detector knew at each picture of the film. */
export const predictionsQuery = (id: number, taggedVideo: string | null) =>
  queryOptions({
    queryKey: [...printKey(id), 'predictions', taggedVideo !== null] as const,
    queryFn: () => call(getPredictionJson, { params: { id } }),
    staleTime: Infinity,
    retry,
  })

/** The pictures themselves. */
export const framesQuery = (id: number) =>
  queryOptions({
    queryKey: [...printKey(id), 'frames'] as const,
    queryFn: () => call(listPrintFrames, { params: { id } }),
    staleTime: 30 * 60_000,
    retry,
  })

/** Every heater over the print. */
export const temperaturesQuery = (id: number, runs: boolean) =>
  queryOptions({
    queryKey: [...printKey(id), 'temperatures', runs] as const,
    queryFn: async () => readHistory((await call(getPrintTemperatures, { params: { id } })).heaters),
    refetchInterval: runs ? 30_000 : false,
    retry,
  })

/** The printer, asked every second: a reprint was sent and is about to begin. */
export const beginningQuery = (printerId: number) =>
  queryOptions({
    queryKey: ['reprint', printerId] as const,
    queryFn: () => call(getPrinter, { params: { id: printerId }, query: { with_archived: 'true' } }),
    refetchInterval: 1_000,
    gcTime: 0,
  })

export const linkQuery = (id: number) =>
  queryOptions({
    queryKey: [...printKey(id), 'link'] as const,
    queryFn: () => call(getPrintLink, { params: { id } }),
  })

export const makeLink = (id: number) => call(makePrintLink, { params: { id } })
export const revokeLink = (id: number) => call(revokePrintLink, { params: { id } })

/** What a link to a time-lapse shows. */
export const sharedQuery = (token: string) =>
  queryOptions({
    queryKey: ['sharedTimelapse', token] as const,
    queryFn: () => call(getSharedTimelapse, { query: { share_token: token } }),
    retry,
  })

export const judge = (id: number, alert_overwrite: Verdict) =>
  call(updatePrint, { params: { id }, query: {}, body: { alert_overwrite } })

export const removePrint = (id: number) => call(deletePrint, { params: { id }, query: {} })
