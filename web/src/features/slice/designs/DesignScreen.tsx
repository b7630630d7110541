import { Button, Stack } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Design, DesignComment } from '@vigil/contract/slice/designs.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useId } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { Columns } from '../../../ui/Columns.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { commentsQuery, designQuery } from './designs.api.ts'
import styles from './Designs.module.css'
import { FileSheet } from './FileSheet.tsx'
import { Maker } from './Maker.tsx'
import { Slider } from './Slider.tsx'

/** One design: what it looks like, what is said of it, and the way to slice it. */
export default function DesignScreen() {
  const { t } = useTranslation('designs')
  const id = useId()
  const { data, error, refetch } = useQuery(designQuery(id))
  useTitle(data?.name ?? t('title'))
  if (!data && error)
    return <Failed whole title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
  if (!data) return <p role="status">{t('loading')}</p>
  return (
    <>
      <PageHeader title={<bdi>{data.name}</bdi>} back={{ to: paths.designs, label: t('title') }} />
      {data.is_old && (
        <p role="status" className={styles.old}>
          {t('old')}
        </p>
      )}
      <Shown design={data} />
    </>
  )
}

function Shown({ design }: { design: Design }) {
  const [isSheet, setSheet] = useState(false)
  return (
    <Columns>
      <Stack gap={14} miw={0}>
        <Slider id={design.id} />
      </Stack>
      <Stack gap={14} miw={0}>
        <About design={design} onSlice={() => setSheet(true)} />
        <Comments id={design.id} />
      </Stack>
      {isSheet && <FileSheet design={design} onClose={() => setSheet(false)} />}
    </Columns>
  )
}

function About({ design, onSlice }: { design: Design; onSlice: () => void }) {
  const { t } = useTranslation('designs')
  const { creator } = design
  return (
    <Panel
      title={t('about')}
      aside={
        <Button variant="filled" leftSection={<IconStack2 size={18} stroke={1.75} />} onClick={onSlice}>
          {t('slice')}
        </Button>
      }
    >
      <p className={`${styles.by} ${styles.apart}`}>
        <Maker {...creator} size={28} />
        <bdi>{creator.first_name}</bdi>
      </p>
      <Facts
        rows={[
          [t('likesName'), design.like_count],
          [t('collects'), design.collect_count],
          [t('files'), design.file_count],
        ]}
      />
      <div
        className={`${styles.summary} ${styles.apart}`}
        // The server has let nothing through but words, lists and links.
        dangerouslySetInnerHTML={{ __html: design.description_html }}
      />
      {design.license !== null && (
        <details>
          <summary className={styles.fold}>{t('license')}</summary>
          <p>
            <bdi>{design.license}</bdi>
          </p>
        </details>
      )}
      {design.public_url !== null && (
        <p>
          <a href={design.public_url} target="_blank" rel="noopener noreferrer">
            {t('original')}
          </a>
        </p>
      )}
    </Panel>
  )
}

const FIRST = 3

/** The first three, the others behind a button. */
function Comments({ id }: { id: number }) {
  const { t } = useTranslation('designs')
  const { data, error, refetch } = useQuery(commentsQuery(id))
  const [isAll, setAll] = useState(false)
  const shown = isAll ? data : data?.slice(0, FIRST)
  const left = (data?.length ?? 0) - FIRST
  return (
    <Panel title={t('comments')}>
      {!data && error && (
        <Failed title={t('commentsFailed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && <p className={styles.soft}>{t('noComments')}</p>}
      <ul className={styles.comments}>
        {shown?.map((comment) => (
          <Said key={comment.id} comment={comment} />
        ))}
      </ul>
      {left > 0 && (
        <Button variant="subtle" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? t('fewer') : t('more', { count: left })}
        </Button>
      )}
    </Panel>
  )
}

const Said = ({ comment: { user, body } }: { comment: DesignComment }) => (
  <li>
    <span className={styles.by}>
      <Maker first_name={user.name} thumbnail={user.thumbnail} size={22} />
      <bdi>{user.name}</bdi>
    </span>
    <p className={styles.said}>{body}</p>
  </li>
)
