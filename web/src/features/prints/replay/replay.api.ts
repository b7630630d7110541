import {
  decideAgain,
  getReplay,
  getReplayFrame,
  getReplayRun,
  type ReplayRun,
  startReplay,
  stopReplay,
} from '@vigil/contract/prints/replay.ts'
import type { Zone } from '@vigil/contract/printers/zones.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** What a print is judged again with. */
export interface Trial {
  sensitivity: number
  zones: Zone[]
  withLearnt: boolean
  over: 'scores' | 'run'
}

export const replayQuery = (printId: number) =>
  queryOptions({
    queryKey: ['replay', printId] as const,
    queryFn: () => call(getReplay, { params: { id: printId } }),
    staleTime: Infinity,
  })

export const isUnderWay = (run: ReplayRun | null | undefined) =>
  run?.state === 'waiting' || run?.state === 'running'

export const runQuery = (printId: number) =>
  queryOptions({
    queryKey: ['replay-run', printId] as const,
    queryFn: async () => (await call(getReplayRun, { params: { id: printId } })).run,
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? 1_000 : false),
  })

/** `doneAt`: of the detector's run that is meant, so that the next one is asked about anew. */
export function decidedQuery(printId: number, trial: Trial, doneAt: string | null) {
  const { sensitivity, zones, withLearnt, over } = trial
  return queryOptions({
    queryKey: ['replay-decided', printId, trial, over === 'run' ? doneAt : null] as const,
    queryFn: () =>
      call(decideAgain, {
        params: { id: printId },
        body: { sensitivity, zones, with_learnt: withLearnt, over },
      }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
  })
}

export const frameQuery = (printId: number, t: number) =>
  queryOptions({
    queryKey: ['replay-frame', printId, t] as const,
    queryFn: () => call(getReplayFrame, { params: { id: printId }, query: { t } }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
  })

export const start = (printId: number) => call(startReplay, { params: { id: printId } })
export const stop = (printId: number) => call(stopReplay, { params: { id: printId } })
