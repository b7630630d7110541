import type { Print } from '@vigil/contract/prints/prints.ts'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useQueryValues } from '../../../lib/address.ts'
import { paths } from '../../../lib/paths.ts'
import styles from './PrintPage.module.css'
import { indexOf, siblingsOf, spanOf } from './siblings.ts'
import { siblingsQuery } from './siblings.api.ts'
import { useHistoryQuery } from '../history/index.ts'

/** The prints beside this one in the history, as it is filtered and sorted there. */
export function Siblings({ print }: { print: Print }) {
  const { t } = useTranslation('print-page')
  const index = indexOf(useQueryValues()['index'])
  const query = useHistoryQuery()
  const { data } = useQuery({ ...siblingsQuery(query, spanOf(index ?? 0)), enabled: index !== null })
  const found = index === null || !data ? null : siblingsOf(data, print.id, index)
  if (index === null || found === null) return null
  const rises = query.sorting === 'date_asc'
  const sides = [
    { side: 'before', to: found.before, at: index - 1, word: rises ? 'older' : 'newer' },
    { side: 'after', to: found.after, at: index + 1, word: rises ? 'newer' : 'older' },
  ] as const
  return (
    <nav className={styles.siblings} aria-label={t('siblings.label')}>
      {sides.map(({ side, to, at, word }) =>
        to === null ? (
          <span key={side} />
        ) : (
          <Link key={side} to={paths.print(to.id)} search={{ index: String(at) }} data-side={side}>
            <span>
              {side === 'before' && <IconChevronLeft size={15} stroke={2} />}
              {t(`siblings.${word}`)}
              {side === 'after' && <IconChevronRight size={15} stroke={2} />}
            </span>
            <bdi>{to.filename}</bdi>
          </Link>
        ),
      )}
    </nav>
  )
}
