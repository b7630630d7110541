import { Switch } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { Reach } from '@vigil/contract/tell/notifications.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { reachQuery } from '../../../printer/reach.api.ts'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import { Ago, useTimeText } from '../../../ui/time.tsx'
import { CHANNELS } from './channels.ts'
import { isAvailable, pluginsQuery, settingsQuery } from './notifications.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Notifications.module.css'
import { useMaster } from './useMaster.ts'
import { useChannelWords } from './useChannelWords.ts'

/** `/user_preferences/general_notifications/`: whether alerts arrive, and by which channels. */
export default function NotificationsScreen() {
  const { t } = useTranslation('notifications')
  useTitle(t('title'))
  const words = useChannelWords()
  const plugins = useQuery(pluginsQuery)
  const settings = useQuery(settingsQuery)
  const reach = useQuery(reachQuery)
  const failed = plugins.error ?? settings.error ?? reach.error
  const retry = () => void Promise.all([plugins.refetch(), settings.refetch(), reach.refetch()])
  if (failed) return <NotLoaded title={t('notLoaded')} problem={problemOf(failed)} onRetry={retry} />
  return (
    <div className={shared.page}>
      <PageHeader title={t('title')} back={{ to: paths.preferences, label: t('back') }} />
      {reach.data && <ReachLine reach={reach.data} />}
      <MasterSwitch />
      <Panel title={t('channels')}>
        <ul className={styles.channels}>
          {CHANNELS.filter(({ name }) => isAvailable(plugins.data?.[name])).map(({ name }) => (
            <li key={name}>
              <Link to={paths.channel(name)} className={styles.channel}>
                <span className={styles.channelName}>{words(name, 'name')}</span>
                <ChannelState
                  isSetUp={settings.data?.some((one) => one.name === name) ?? false}
                  went={reach.data?.channels.find((one) => one.name === name)}
                />
                <IconChevronRight size={18} stroke={1.75} aria-hidden />
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel>
        <Link to={paths.rules} className={styles.channel}>
          <span className={styles.channelName}>{t('rules.title')}</span>
          <span className={styles.soft}>{t('rules.link')}</span>
          <IconChevronRight size={18} stroke={1.75} aria-hidden />
        </Link>
      </Panel>
      <Panel>
        <Link to={paths.deliveries} className={styles.channel}>
          <span className={styles.channelName}>{t('log.title')}</span>
          <span className={styles.soft}>{t('log.hint')}</span>
          <IconChevronRight size={18} stroke={1.75} aria-hidden />
        </Link>
      </Panel>
    </div>
  )
}

/** Whether alerts arrive; channels by which they do not, where others do. */
function ReachLine({ reach: { reach, channels } }: { reach: Reach }) {
  const { t } = useTranslation('notifications')
  const words = useChannelWords()
  const failing = channels.filter((one) => one.alerts && one.failing_since !== null)
  const isPartly = reach === 'works' && failing.length > 0
  return (
    <Panel tone={reach === 'works' && !isPartly ? 'plain' : 'warn'}>
      <p className={styles.lead}>
        {isPartly
          ? t('reach.partly', {
              channels: failing.map(({ name }) => words(name, 'name')).join(t('log.comma')),
            })
          : t(`reach.${reach}`)}
      </p>
    </Panel>
  )
}

/** How a channel does right now. */
function ChannelState({ isSetUp, went }: { isSetUp: boolean; went: Reach['channels'][number] | undefined }) {
  const { t } = useTranslation('notifications')
  const { moment } = useTimeText()
  if (!isSetUp) return <span className={styles.faint}>{t('state.none')}</span>
  if (went === undefined) return <span className={styles.faint}>{t('state.off')}</span>
  const since = ms(went.failing_since)
  if (since !== null) {
    const words = { since: moment(since), said: went.refusal }
    return (
      <span className={styles.bad}>{t(went.refusal ? 'state.failing' : 'state.failingOnly', words)}</span>
    )
  }
  const at = ms(went.accepted_at)
  if (at === null) return <span className={styles.soft}>{t('state.unproven')}</span>
  return (
    <span className={styles.good}>
      {t('state.works')} <Ago at={at} />
    </span>
  )
}

/** Turns everything off but failure alerts. */
function MasterSwitch() {
  const { t } = useTranslation('notifications')
  const { user, state, save } = useMaster('notification_enabled')
  return (
    <Panel>
      <SettingRow label={t('master.switch')} hint={t('master.hint')} state={state}>
        {(ids) => (
          <Switch
            {...ids}
            checked={user.notification_enabled}
            onChange={(event) => save(event.currentTarget.checked)}
          />
        )}
      </SettingRow>
    </Panel>
  )
}
