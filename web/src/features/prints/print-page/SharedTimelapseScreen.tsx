import { IconAlertTriangle, IconLinkOff } from '@tabler/icons-react'
import type { SharedTimelapse } from '@vigil/contract/prints/print-links.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { usePlace } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useTitle } from '../../../lib/title.ts'
import { Player, scoreAt, scoresOf } from '../../../player/index.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { PublicFrame } from '../../../ui/PublicFrame.tsx'
import { Playhead, usePosition } from './playhead.ts'
import { sharedQuery } from './print-page.api.ts'
import styles from './PrintPage.module.css'

/** From this score on the film is said to show a failure. */
const ALERTING = 0.4

/** What whoever holds the link of a time-lapse sees: whose it is, the film and the gauge, and nothing else. */
export default function SharedTimelapseScreen() {
  const { t } = useTranslation('print-page')
  const token = usePlace('token') ?? ''
  const { data, error, refetch } = useQuery(sharedQuery(token))
  useTitle(t('public.title'))
  const problem = error ? problemOf(error) : null
  return (
    <PublicFrame>
      {data && !problem ? (
        <Shown shared={data} />
      ) : problem?.kind === 'missing' ? (
        <Notice whole picture={<IconLinkOff size={40} stroke={1.25} />} title={t('public.endedTitle')}>
          {t('public.endedText')}
        </Notice>
      ) : problem ? (
        <Failed whole title={t('public.failed')} problem={problem} onRetry={() => void refetch()} />
      ) : (
        <div className={styles.filmPlace} aria-busy="true" />
      )}
    </PublicFrame>
  )
}

function Shown({ shared }: { shared: SharedTimelapse }) {
  const { t } = useTranslation('print-page')
  const [playhead] = useState(() => new Playhead())
  const name = shared.creator_name
  const heading = name === null ? t('public.title') : t('public.by', { name })
  return (
    <div className={styles.public}>
      <h1>
        <bdi>{heading}</bdi>
      </h1>
      <Player
        name={t('public.title')}
        videoUrl={shared.video_url}
        posterUrl={shared.poster_url}
        predictions={shared.predictions}
        canDownload={false}
        onPosition={playhead.set}
      />
      <Banner predictions={shared.predictions} playhead={playhead} />
    </div>
  )
}

/** Stands while the film shows what looks like a failure; its place stays. */
function Banner({ predictions, playhead }: Pick<SharedTimelapse, 'predictions'> & { playhead: Playhead }) {
  const { t } = useTranslation('print-page')
  const position = usePosition(playhead)
  const scores = useMemo(() => scoresOf(predictions), [predictions])
  const alerting = (scoreAt(scores, position) ?? 0) > ALERTING
  return (
    <div className={styles.banner} role="status" data-shown={alerting || undefined}>
      {alerting && (
        <>
          <IconAlertTriangle size={18} stroke={1.75} aria-hidden /> {t('public.banner')}
        </>
      )}
    </div>
  )
}
