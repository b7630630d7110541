import { ActionIcon, Box, Flex, Loader, TextInput } from '@mantine/core'
import { IconHeart, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { DesignHit } from '@vigil/contract/slice/designs.ts'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useQueryValues } from '../../../lib/address.ts'
import { serverUrl } from '../../../lib/base.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { useOnScreen } from '../../../lib/useOnScreen.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { designsQuery } from './designs.api.ts'
import styles from './Designs.module.css'
import { Maker } from './Maker.tsx'

/** A catalogue of designs to print: searched, or what is popular. */
export default function DesignsScreen() {
  const { t } = useTranslation('designs')
  const keyword = (useQueryValues()['keyword'] ?? '').trim()
  useTitle(t('title'))
  return (
    <>
      <PageHeader title={t('title')} />
      <Search key={keyword} keyword={keyword} />
      <Box component="h2" m="18px 0 10px" fz={18}>
        {t(keyword === '' ? 'popular' : 'relevant')}
      </Box>
      <Designs key={`designs ${keyword}`} keyword={keyword} />
    </>
  )
}

function Search({ keyword }: { keyword: string }) {
  const { t } = useTranslation('designs')
  const navigate = useNavigate()
  const [words, setWords] = useState(keyword)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const next = words.trim()
    if (next !== '' && next !== keyword) void navigate({ to: paths.designs, search: { keyword: next } })
  }
  return (
    <form role="search" onSubmit={submit} className={styles.search}>
      <TextInput
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        maxLength={200}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        rightSection={
          <ActionIcon type="submit" variant="subtle" size={36} aria-label={t('searchButton')}>
            <IconSearch size={18} stroke={1.75} />
          </ActionIcon>
        }
        rightSectionWidth={44}
      />
      {keyword !== '' && <Link to={paths.designs}>{t('toPopular')}</Link>}
    </form>
  )
}

function Designs({ keyword }: { keyword: string }) {
  const { t } = useTranslation('designs')
  const { is_admin: isAdmin } = useBootstrap()
  const query = useInfiniteQuery(designsQuery(keyword))
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const end = useRef<HTMLDivElement>(null)
  const isEndSeen = useOnScreen(end, '600px')
  const isMore = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (isEndSeen && isMore) void fetchNextPage()
  }, [isEndSeen, isMore, fetchNextPage])
  const hits = data?.pages.flatMap((page) => page.hits) ?? []
  const isSample = data?.pages[0]?.provider === 'sample'
  return (
    <>
      {data?.pages.some((page) => page.is_old) && (
        <p role="status" className={styles.old}>
          {t('old')}
        </p>
      )}
      {isSample && (
        <p className={styles.soft}>{[t('sample'), isAdmin && t('sampleAdmin')].filter(Boolean).join(' ')}</p>
      )}
      {data && hits.length === 0 && <Notice title={t('none')} />}
      <ul className={styles.cards} aria-label={t('title')}>
        {hits.map((hit, i) => (
          <Card key={`${hit.id} ${i}`} hit={hit} />
        ))}
      </ul>
      {error && (
        <Failed
          title={t('failed')}
          problem={problemOf(error)}
          onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())}
        />
      )}
      <div ref={end} className={styles.end}>
        {(query.isPending || isFetchingNextPage) && <Loader aria-label={t('loading')} />}
      </div>
    </>
  )
}

const Card = ({ hit }: { hit: DesignHit }) => {
  const { t } = useTranslation('designs')
  return (
    <li className={styles.card}>
      <Link to={paths.design(hit.id)} className={styles.cardLink}>
        {hit.preview_image ? (
          <img src={serverUrl(hit.preview_image)} alt="" loading="lazy" className={styles.preview} />
        ) : (
          <span className={styles.preview} />
        )}
        <bdi className={styles.name}>{hit.name}</bdi>
      </Link>
      <span className={`${styles.by} ${styles.foot}`}>
        <Maker {...hit.creator} size={22} />
        <bdi className={styles.maker}>{hit.creator.first_name}</bdi>
        <Flex
          component="span"
          align="center"
          gap={4}
          role="img"
          aria-label={t('likes', { count: hit.like_count })}
        >
          <IconHeart size={15} stroke={1.75} aria-hidden /> {hit.like_count}
        </Flex>
      </span>
    </li>
  )
}
