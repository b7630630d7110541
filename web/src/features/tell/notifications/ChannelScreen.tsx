import { ActionIcon, Box, Button, Switch } from '@mantine/core'
import { IconPlugOff, IconTrash } from '@tabler/icons-react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { listDevices, type MobileDevice, removeDevice } from '@vigil/contract/people/devices.ts'
import type { NotificationSetting, Plugin } from '@vigil/contract/tell/notifications.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { usePlace } from '../../../lib/address.ts'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useUser } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Notice, useProblemText } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import { Browsers } from './Browsers.tsx'
import { ChannelFields } from './ChannelFields.tsx'
import { type ChannelForm, channelNamed } from './channels.ts'
import { ChannelSwitches } from './ChannelSwitches.tsx'
import { MailAddresses } from './MailAddresses.tsx'
import { askSlack, missingOf, pluginsQuery, settingsQuery } from './notifications.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Notifications.module.css'
import { TestButton } from './TestButton.tsx'
import { useChannelWords } from './useChannelWords.ts'
import { useMaster } from './useMaster.ts'
import { GoTo } from '../../../ui/GoTo.tsx'

const phonesQuery = queryOptions({
  queryKey: ['notifications', 'phones'] as const,
  queryFn: () => call(listDevices),
  staleTime: 0,
})

/** Phones with our app: they come by themselves when their owner signs in there, and are taken away here. */
function Phones() {
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

/** `/user_preferences/notification_{channel}/`: how one channel is set up, and what it is told of. */
export default function ChannelScreen() {
  const { t } = useTranslation('notifications')
  const { t: common } = useTranslation('common')
  const form = channelNamed(usePlace('channel') ?? '')
  const words = useChannelWords()
  const plugins = useQuery(pluginsQuery)
  const settings = useQuery(settingsQuery)
  const name = form ? words(form.name, 'name') : t('title')
  useTitle(name)
  const failed = plugins.error ?? settings.error
  const retry = () => void Promise.all([plugins.refetch(), settings.refetch()])
  const plugin = form && plugins.data?.[form.name]
  if (failed) return <NotLoaded title={t('notLoaded')} problem={problemOf(failed)} onRetry={retry} />
  if (!plugins.data || !settings.data) return <PageHeader title={name} />
  return (
    <div className={shared.page}>
      <PageHeader title={name} back={{ to: paths.notifications, label: t('title') }} />
      {form && plugin ? (
        <Channel form={form} plugin={plugin} setting={settings.data.find((one) => one.name === form.name)} />
      ) : (
        <Notice title={common('problem.missing')} />
      )}
    </div>
  )
}

interface ChannelProps {
  form: ChannelForm
  plugin: Plugin
  setting: NotificationSetting | undefined
}

function Channel({ form, plugin, setting }: ChannelProps) {
  const { t } = useTranslation('notifications')
  const user = useUser()
  const missing = missingOf(plugin)
  if (missing.length > 0)
    return (
      <Notice picture={<IconPlugOff size={40} stroke={1.25} />} title={t('unavailable')}>
        {t('missing')}
        <Box component="ul" m="8px 0 0" pl={20} ta="left">
          {missing.map((name) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
        </Box>
      </Notice>
    )
  return (
    <>
      <Panel title={t('setUp')}>
        {form.name === 'webpush' && <Browsers />}
        {form.name === 'mobile' && <Phones />}
        {form.name === 'slack' && <SlackButton isSetUp={setting !== undefined} />}
        {form.name === 'email' && <MailAddresses plugin={plugin} />}
        {form.name === 'telegram' && <Bot name={plugin.env_vars['TELEGRAM_BOT_NAME']?.value} />}
        <ChannelFields form={form} setting={setting} />
        {setting && <Secret value={setting.config['signing_secret']} />}
        {setting && <TestButton id={setting.id} channel={form.name} />}
      </Panel>
      {setting && <ChannelSwitches setting={setting} plugin={plugin} disabled={!user.notification_enabled} />}
      {form.name === 'email' && <AccountEvents />}
    </>
  )
}

/** The bot that has to be written to first. */
function Bot({ name }: { name: string | undefined }) {
  if (!name || !/^\w+$/.test(name)) return null
  return (
    <p className={styles.lead}>
      <a href={`https://t.me/${name}`} target="_blank" rel="noreferrer">
        @{name}
      </a>
    </p>
  )
}

/** By which whoever receives webhooks checks that they are ours. */
function Secret({ value }: { value: unknown }) {
  const { t } = useTranslation('notifications')
  if (typeof value !== 'string') return null
  return (
    <SettingRow label={t('secret.label')} hint={t('secret.hint')}>
      {() => <CopyButton text={value} label={t('secret.copy')} />}
    </SettingRow>
  )
}

/** Mail about the account itself is no matter of a printer. */
function AccountEvents() {
  const { t } = useTranslation('notifications')
  const { user, state, save } = useMaster('account_notification_by_email')
  return (
    <Panel title={t('account.title')}>
      <SettingRow label={t('account.switch')} hint={t('account.hint')} state={state}>
        {(ids) => (
          <Switch
            {...ids}
            checked={user.account_notification_by_email}
            onChange={(event) => save(event.currentTarget.checked)}
          />
        )}
      </SettingRow>
    </Panel>
  )
}

/** Leads to Slack's page, where our app is put into a workspace. */
function SlackButton({ isSetUp }: { isSetUp: boolean }) {
  const { t } = useTranslation('notifications')
  const problemText = useProblemText()
  const asking = useMutation({
    mutationFn: askSlack,
    onSuccess: ({ url }) => window.location.assign(url),
  })
  return (
    <div className={styles.test}>
      <p className={styles.lead}>{t('channel.slack.how')}</p>
      <Button
        variant={isSetUp ? 'default' : 'filled'}
        loading={asking.isPending}
        onClick={() => asking.mutate()}
      >
        {t(isSetUp ? 'channel.slack.again' : 'channel.slack.install')}
      </Button>
      {asking.error && (
        <span role="alert" className={styles.bad}>
          {problemText(problemOf(asking.error))}
        </span>
      )}
    </div>
  )
}

/** Where apps look for it; it is a channel like the others. */
export function MobilePushScreen() {
  return <GoTo to={paths.channel('mobile')} />
}
