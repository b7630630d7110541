import type { Print } from '@vigil/contract/prints/prints.ts'
import { useQuery } from '@tanstack/react-query'
import { Player } from '../../../player/index.ts'
import { predictionsQuery } from './uploads.api.ts'

const NONE: never[] = []

/** The film as it was sent, and with what was found drawn on it. */
export function AnalysisPlayer({ print }: { print: Print }) {
  const { data } = useQuery(predictionsQuery(print))
  return (
    <Player
      name={print.filename}
      videoUrl={print.video_url}
      taggedVideoUrl={print.tagged_video_url}
      posterUrl={print.poster_url}
      predictions={data ?? NONE}
    />
  )
}
