import { Button, Loader } from '@mantine/core'
import { IconMovie } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PublicTimelapse } from '@vigil/contract/prints/gallery.ts'
import { useRef, useState, useEffect } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { useOnScreen } from '../../../lib/useOnScreen.ts'
import { lazyDialog } from '../../../ui/lazily.tsx'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { PublicFrame } from '../../../ui/PublicFrame.tsx'
import { FilmCard } from './FilmCard.tsx'
import { publicQuery } from './gallery.api.ts'
import styles from './Gallery.module.css'

/** Pages of docs/rules/pages.md: six, and half a second until the next six. */
const PAGE = 6
const DELAY_MS = 500

/** How many of `total` are shown: six more each time the end of what is shown comes in sight, half a second later. */
function useReveal(total: number, isEndSeen: boolean): { shown: number; isMore: boolean } {
  const [loads, setLoads] = useState(1)
  const isMore = total > loads * PAGE
  useEffect(() => {
    if (!isEndSeen || !isMore) return undefined
    const timer = setTimeout(() => setLoads((before) => before + 1), DELAY_MS)
    return () => clearTimeout(timer)
  }, [isEndSeen, isMore, loads])
  return { shown: Math.min(total, loads * PAGE), isMore }
}

const FilmDialog = lazyDialog(async () => (await import('./FilmDialog.tsx')).FilmDialog)

/** Time-lapses that their owners have made public, for everybody. */
export default function GalleryScreen() {
  const { t } = useTranslation('gallery')
  const { user, is_admin: isAdmin } = useBootstrap()
  useTitle(t('title'))
  const page = (
    <>
      <PageHeader
        title={t('title')}
        note={t('lead')}
        actions={
          isAdmin && (
            <Button renderRoot={(props) => <Link {...props} to={paths.moderation} />}>{t('moderate')}</Button>
          )
        }
      />
      <Films />
    </>
  )
  return user ? page : <PublicFrame>{page}</PublicFrame>
}

function Films() {
  const { t } = useTranslation('gallery')
  const { data, error, refetch } = useQuery(publicQuery)
  if (!data && error)
    return <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
  if (!data) return <Waiting />
  if (data.length === 0)
    return (
      <Notice title={t('empty')} picture={<IconMovie size={40} stroke={1.25} />}>
        {t('emptyText')}
      </Notice>
    )
  return <Grid films={data} />
}

function Waiting() {
  const { t } = useTranslation('gallery')
  return (
    <div className={styles.end} aria-busy="true">
      <Loader size={28} role="img" aria-label={t('loading')} />
    </div>
  )
}

function Grid({ films }: { films: PublicTimelapse[] }) {
  const { t } = useTranslation('gallery')
  const end = useRef<HTMLDivElement>(null)
  const { shown, isMore } = useReveal(films.length, useOnScreen(end))
  const [played, play] = useState<PublicTimelapse | null>(null)
  return (
    <>
      <div className={styles.grid}>
        {films.slice(0, shown).map((film) => (
          <FilmCard
            key={film.id}
            posterUrl={film.poster_url}
            videoUrl={film.video_url}
            label={t('play', { name: film.creator_name })}
            onPlay={() => play(film)}
          >
            <p className={styles.by}>{t('by', { name: film.creator_name })}</p>
          </FilmCard>
        ))}
      </div>
      <div ref={end}>{isMore ? <Waiting /> : <p className={styles.end}>{t('end')}</p>}</div>
      {played && (
        <FilmDialog
          creatorName={played.creator_name}
          videoUrl={played.video_url}
          posterUrl={played.poster_url}
          scoresUrl={played.p_json_url}
          onClose={() => play(null)}
        />
      )}
    </>
  )
}
