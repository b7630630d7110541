import type { Print } from '@vigil/contract/prints/prints.ts'
import type { Timelapse } from '@vigil/contract/prints/timelapse.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { gapsOf, scoresOf, timesOf, type Unseen } from '../../../player/index.ts'
import { isRunning } from './lapse.rules.ts'
import { framesQuery, predictionsQuery, printQuery, timelapseQuery } from './print-page.api.ts'

/** The film has been made while the page stood: it is in the print then. */
function useReady(print: Print, state: Timelapse['state'] | undefined): void {
  const client = useQueryClient()
  const isMissing = state === 'ready' && print.video_url === null && print.tagged_video_url === null
  useEffect(() => {
    if (isMissing) void client.invalidateQueries({ queryKey: printQuery(print.id).queryKey, exact: true })
  }, [client, isMissing, print.id])
}

/** What is known of the film: how far it is, its scores, when each picture was taken, the pictures themselves. */
export function useFigures(print: Print) {
  const runs = isRunning(print)
  const { data: timelapse, error, refetch } = useQuery({ ...timelapseQuery(print.id, runs), enabled: !runs })
  const { data: predictions } = useQuery({
    ...predictionsQuery(print.id, print.tagged_video_url),
    enabled: !runs,
  })
  const { data: pictures } = useQuery({ ...framesQuery(print.id), enabled: !runs })
  useReady(print, timelapse?.state)
  const frames = useMemo(
    () => pictures?.frames.map(({ image_url, tagged_url }) => ({ url: image_url, taggedUrl: tagged_url })),
    [pictures],
  )
  // Where there is no film its scores come with the pictures.
  const told = useMemo(() => {
    if (predictions && predictions.length > 0) return predictions
    return pictures?.frames.map(({ at, normalized_p }) => ({ fields: { normalized_p, updated_at: at } }))
  }, [predictions, pictures])
  const scores = useMemo(() => scoresOf(told ?? []), [told])
  const times = useMemo(() => timesOf(told ?? []), [told])
  const unseen = useUnseen(timelapse)
  return {
    timelapse,
    unseen,
    /** What of it nobody looked at, and why. */
    gaps: useMemo(() => gapsOf(scores, times, unseen), [scores, times, unseen]),
    /** Why nobody knows how far it is. */
    problem: timelapse === undefined && error ? problemOf(error) : null,
    retry: () => void refetch(),
    predictions: told,
    frames,
    turn: pictures?.turn,
    scores,
    times,
  }
}

/** When nobody looked, in the reader's words. */
function useUnseen(timelapse: Timelapse | undefined): readonly Unseen[] {
  const { t } = useTranslation('printers')
  const unseen = timelapse?.unseen
  return useMemo(
    () =>
      (unseen ?? []).map(({ from, to, code }) => ({
        from: Date.parse(from),
        to: Date.parse(to),
        why: t(`why.${code}`),
      })),
    [unseen, t],
  )
}
export type Figures = ReturnType<typeof useFigures>
