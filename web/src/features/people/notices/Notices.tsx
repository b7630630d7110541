import { dismissNotice, listNotices } from '@vigil/contract/people/notices.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { call } from '../../../lib/call.ts'
import { NoticeCard } from './NoticeCard.tsx'
import styles from './Notices.module.css'

const FRESH_MS = 5 * 60_000

const noticesQuery = (language: string) =>
  queryOptions({
    queryKey: ['notices', language],
    queryFn: () => call(listNotices, { query: { lang: language } }),
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
    retry: false,
  })

/** What whoever runs this server has to say, above every page of who is signed in. What could not be asked for is not missed. */
export function Notices() {
  const { t, i18n } = useTranslation('common')
  const client = useQueryClient()
  const { queryKey } = noticesQuery(i18n.language)
  const { data = [] } = useQuery(noticesQuery(i18n.language))
  const dismiss = useMutation({
    mutationFn: (id: number) => call(dismissNotice, { params: { id } }),
    // It goes at once; one that could not be put away is there again.
    onMutate: (id) => client.setQueryData(queryKey, (all) => all?.filter((one) => one.id !== id)),
    onError: () => client.invalidateQueries({ queryKey }),
  })
  if (data.length === 0) return null
  return (
    <section aria-label={t('notices.label')}>
      <ul className={styles.list}>
        {data.map((notice) => (
          <li key={notice.id}>
            <NoticeCard notice={notice} onDismiss={() => dismiss.mutate(notice.id)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
