import { Button } from '@mantine/core'
import { IconBrandSlack } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { useQueryValues } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { GoTo } from '../../../ui/GoTo.tsx'
import { Notice, useProblemText } from '../../../ui/Notice.tsx'
import { finishSlack, keepChannel } from './notifications.api.ts'

/** Where Slack leads back to: what it gave is exchanged for access, once. */
export default function SlackCallbackScreen() {
  const { t } = useTranslation('notifications')
  const client = useQueryClient()
  const problemText = useProblemText()
  const { code = '', state = '', error } = useQueryValues()
  const back = paths.channel('slack')
  useTitle(t('channel.slack.name'))
  const finished = useQuery({
    queryKey: ['notifications', 'slack', state],
    queryFn: async () => {
      const setting = await finishSlack(code, state)
      keepChannel(client, 'slack', setting)
      return setting
    },
    enabled: error === undefined && code !== '',
    retry: false,
    staleTime: Infinity,
  })
  if (finished.isSuccess) return <GoTo to={back} />
  if (finished.isFetching)
    return (
      <Notice
        whole
        picture={<IconBrandSlack size={40} stroke={1.25} />}
        title={t('channel.slack.finishing')}
      />
    )
  const why = error ?? (finished.error ? problemText(problemOf(finished.error)) : t('channel.slack.denied'))
  return (
    <Notice
      whole
      title={t('channel.slack.failed')}
      actions={
        <Button renderRoot={(props) => <Link {...props} to={back} />}>{t('channel.slack.back')}</Button>
      }
    >
      <p role="alert">{why}</p>
    </Notice>
  )
}
