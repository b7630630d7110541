import { ActionIcon } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { listDevices, type MobileDevice, removeDevice } from '@vigil/contract/people/devices.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import styles from './Notifications.module.css'

const phonesQuery = queryOptions({
  queryKey: ['notifications', 'phones'] as const,
  queryFn: () => call(listDevices),
  staleTime: 0,
})

/** Phones with our app: they come by themselves when their owner signs in there, and are taken away here. */
export function Phones() {
  const { t } = useTranslation('notifications')
  const phones = useQuery(phonesQuery)
  if (phones.error)
    return (
      <NotLoaded
        title={t('notLoaded')}
        problem={problemOf(phones.error)}
        onRetry={() => void phones.refetch()}
      />
    )
  return (
    <>
      <p className={styles.lead}>{t('channel.mobile.how')}</p>
      <ul className={styles.channels} aria-label={t('channel.mobile.name')}>
        {phones.data?.map((phone) => (
          <Phone key={phone.id} phone={phone} />
        ))}
      </ul>
    </>
  )
}

function Phone({ phone }: { phone: MobileDevice }) {
  const { t } = useTranslation('notifications')
  const client = useQueryClient()
  const problemText = useProblemText()
  const removing = useMutation({
    mutationFn: () => call(removeDevice, { params: { id: phone.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: phonesQuery.queryKey }),
  })
  const name = phone.platform === 'ios' ? 'iOS' : 'Android'
  return (
    <li className={styles.browser}>
      <span className={styles.channelName}>{name}</span>
      <span className={removing.error ? styles.bad : styles.soft}>
        {removing.error ? problemText(problemOf(removing.error)) : phone.app_version}
      </span>
      <ActionIcon
        variant="subtle"
        aria-label={t('push.turnOff', { browser: name })}
        loading={removing.isPending}
        onClick={() => removing.mutate()}
      >
        <IconTrash size={18} stroke={1.75} />
      </ActionIcon>
    </li>
  )
}
