import { ActionIcon, Stack } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverUrl } from '../../../lib/base.ts'
import { problemOf } from '../../../lib/errors.ts'
import { Failed } from '../../../ui/Notice.tsx'
import { imagesQuery } from './designs.api.ts'
import styles from './Designs.module.css'

/** Pictures of a design, one at a time: after the last comes the first. */
export function Slider({ id }: { id: number }) {
  const { t } = useTranslation('designs')
  const { data, error, refetch } = useQuery(imagesQuery(id))
  const [at, setAt] = useState(0)
  const urls = data?.flatMap(({ sizes: [first] }) => first?.url ?? []) ?? []
  const step = (by: number) => setAt((now) => (now + by + urls.length) % urls.length)
  const shown = urls[at]
  if (!data && error)
    return <Failed title={t('picturesFailed')} problem={problemOf(error)} onRetry={() => void refetch()} />
  return (
    <Stack component="section" aria-label={t('pictures')} gap={8}>
      <div className={styles.big}>
        {shown !== undefined && (
          <img src={serverUrl(shown)} alt={t('picture', { at: at + 1, of: urls.length })} />
        )}
        {urls.length > 1 && (
          <>
            <ActionIcon size={44} className={styles.before} aria-label={t('before')} onClick={() => step(-1)}>
              <IconChevronLeft size={22} stroke={1.75} />
            </ActionIcon>
            <ActionIcon size={44} className={styles.after} aria-label={t('after')} onClick={() => step(1)}>
              <IconChevronRight size={22} stroke={1.75} />
            </ActionIcon>
          </>
        )}
      </div>
      {urls.length > 1 && (
        <ul className={styles.thumbs}>
          {urls.map((url, i) => (
            <li key={url}>
              <button
                type="button"
                aria-label={t('picture', { at: i + 1, of: urls.length })}
                aria-pressed={i === at}
                onClick={() => setAt(i)}
              >
                <img src={serverUrl(url)} alt="" width={64} height={48} loading="lazy" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  )
}
