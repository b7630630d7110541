import type { Print } from '@vigil/contract/prints/prints.ts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { Player, scoresOf } from '../../../player/index.ts'
import styles from './History.module.css'

/** From this score on a card says that the print may be failing. */
const ALERT_FROM = 0.4
const NONE: never[] = []

/** The scores of a print, one for each picture of its video; none where they can't be had. */
function usePredictions({ id, prediction_json_url: url }: Print): readonly unknown[] {
  const { data } = useQuery({
    queryKey: ['predictions', id],
    enabled: url !== null,
    queryFn: async ({ signal }): Promise<unknown[]> => {
      const answer = await fetch(url ?? '', { signal })
      const body: unknown = answer.ok ? await answer.json() : null
      return Array.isArray(body) ? body : NONE
    },
    staleTime: Infinity,
    retry: false,
  })
  return data ?? NONE
}

/** Plays the time-lapse in its card, with what was detected where there is that. */
export function CardPlayer({ print }: { print: Print }) {
  const { t } = useTranslation('history')
  const predictions = usePredictions(print)
  const scores = useMemo(() => scoresOf(predictions), [predictions])
  const [position, setPosition] = useState(0)
  const at = Math.min(scores.length - 1, Math.round(scores.length * position))
  const isFailing = (scores[at] ?? 0) > ALERT_FROM
  return (
    <div className={styles.player}>
      <Player
        autoPlay
        name={print.filename}
        videoUrl={print.tagged_video_url === null ? print.video_url : null}
        taggedVideoUrl={print.tagged_video_url}
        posterUrl={print.poster_url}
        predictions={predictions}
        withGauge={false}
        onPosition={setPosition}
      />
      {isFailing && (
        <p className={styles.failing} role="status">
          <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
          {t('card.failing')}
        </p>
      )}
    </div>
  )
}
