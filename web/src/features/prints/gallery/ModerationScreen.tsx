import { Button, SegmentedControl, Skeleton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { AdminPage } from '../../people/admin/index.ts'
import { EntryCard } from './EntryCard.tsx'
import styles from './Gallery.module.css'
import { entriesQuery, type EntryState } from './gallery.api.ts'

const STATES: EntryState[] = ['offered', 'accepted', 'public', 'refused', 'removed']

/** Where administrators decide what becomes public. */
export default function ModerationScreen() {
  const { t } = useTranslation('gallery')
  const [state, setState] = useState<EntryState>('offered')
  const found = useInfiniteQuery(entriesQuery(state))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = found
  const counts = data?.pages.at(-1)?.counts
  const entries = data?.pages.flatMap((page) => page.entries)
  return (
    <AdminPage
      title={t('moderation.title')}
      note={t('moderation.lead')}
      actions={
        <Button component={Link} to={paths.gallery}>
          {t('moderation.back')}
        </Button>
      }
    >
      <div className={styles.states}>
        <SegmentedControl
          aria-label={t('moderation.state')}
          value={state}
          onChange={(value) => setState(STATES.find((one) => one === value) ?? 'offered')}
          data={STATES.map((value) => ({
            value,
            label: `${t(`moderation.states.${value}`)}${counts ? ` ${counts[value]}` : ''}`,
          }))}
        />
      </div>
      {!entries && error && (
        <Failed title={t('moderation.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {!entries && !error && <Skeleton height={280} aria-busy="true" />}
      {entries?.length === 0 && <Notice title={t(`moderation.none.${state}`)} />}
      {entries && entries.length > 0 && (
        <div className={styles.grid}>
          {entries.map((entry) => (
            <EntryCard key={entry.id} entry={entry} />
          ))}
        </div>
      )}
      {hasNextPage && (
        <div className={styles.end}>
          <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('moderation.more')}
          </Button>
        </div>
      )}
    </AdminPage>
  )
}
