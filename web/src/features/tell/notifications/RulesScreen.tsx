import { Select, SegmentedControl, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type NotificationRules, DIGESTS } from '@vigil/contract/tell/notification-rules.ts'
import { Fragment } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import { CHANNELS } from './channels.ts'
import { ClockInput } from './ClockInput.tsx'
import { isAvailable, pluginsQuery, settingsQuery } from './notifications.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Notifications.module.css'
import { QuietPanel, type RulesPanel } from './QuietPanel.tsx'
import { ownZone, useChangeRules, useRules } from './rules.api.ts'
import { useChannelWords } from './useChannelWords.ts'

const MINUTES = [1, 2, 5, 10, 15]
const USUAL = 5
const STEPS = [0, 1, 2, 3]

/** Who is told of an alert next, when nobody answers it. */
function EscalationPanel({ rules, save, stateOf }: RulesPanel) {
  const { t } = useTranslation('notifications')
  const words = useChannelWords()
  const settings = useQuery(settingsQuery)
  const plugins = useQuery(pluginsQuery)
  const { escalate_after: after, escalation_steps: steps } = rules
  const inUse = CHANNELS.filter(({ isForPrograms }) => !isForPrograms).filter(({ name }) => {
    const setting = settings.data?.find((one) => one.name === name)
    return setting?.enabled && setting.notify_on_failure_alert && isAvailable(plugins.data?.[name])
  })
  return (
    <Panel title={t('rules.escalation.title')}>
      <SettingRow
        label={t('rules.escalation.switch')}
        hint={t('rules.escalation.hint')}
        state={stateOf('escalate_after')}
      >
        {(ids) => (
          <Switch
            {...ids}
            checked={after !== null}
            onChange={(event) => save({ escalate_after: event.currentTarget.checked ? USUAL : null })}
          />
        )}
      </SettingRow>
      {after !== null && (
        <>
          <SettingRow label={t('rules.escalation.after')} nested>
            {(ids) => (
              <Select
                {...ids}
                w={190}
                allowDeselect={false}
                value={String(after)}
                data={MINUTES.map((count) => ({
                  value: String(count),
                  label: t('rules.escalation.minutes', { count }),
                }))}
                onChange={(value) => value && save({ escalate_after: Number(value) })}
              />
            )}
          </SettingRow>
          {inUse.length < 2 && <p className={styles.lead}>{t('rules.escalation.few')}</p>}
          {inUse.map(({ name }) => (
            <Fragment key={name}>
              <SettingRow label={words(name, 'name')} state={stateOf('escalation_steps')} nested>
                {(ids) => (
                  <Select
                    {...ids}
                    w={190}
                    allowDeselect={false}
                    value={String(steps[name] ?? 0)}
                    data={STEPS.map((step) => ({
                      value: String(step),
                      label:
                        step === 0
                          ? t('rules.escalation.atOnce')
                          : t('rules.escalation.later', { count: step * after }),
                    }))}
                    onChange={(value) =>
                      value && save({ escalation_steps: { ...steps, [name]: Number(value) } })
                    }
                  />
                )}
              </SettingRow>
            </Fragment>
          ))}
        </>
      )}
    </Panel>
  )
}

/** `/user_preferences/quiet_hours/`: when somebody is told, and who is told next. */
export default function RulesScreen() {
  const { t } = useTranslation('notifications')
  useTitle(t('rules.title'))
  const { data, error, refetch } = useRules()
  if (error)
    return <NotLoaded title={t('notLoaded')} problem={problemOf(error)} onRetry={() => void refetch()} />
  return (
    <div className={shared.page}>
      <PageHeader
        title={t('rules.title')}
        note={t('rules.link')}
        back={{ to: paths.notifications, label: t('title') }}
      />
      {data && <Rules rules={data} />}
    </div>
  )
}

function Rules({ rules }: { rules: NotificationRules }) {
  const { t } = useTranslation('notifications')
  const change = useChangeRules(rules)
  const zone = rules.time_zone ?? ownZone()
  const zones = [...new Set([zone, ...Intl.supportedValuesOf('timeZone')])]
  return (
    <>
      <QuietPanel rules={rules} {...change} />
      <DigestPanel rules={rules} {...change} />
      <EscalationPanel rules={rules} {...change} />
      <Panel>
        <SettingRow
          label={t('rules.zone')}
          hint={t('rules.zoneHint')}
          state={change.stateOf('time_zone')}
          wide
        >
          {(ids) => (
            <Select
              {...ids}
              className={styles.field}
              searchable
              allowDeselect={false}
              value={zone}
              data={zones}
              // four hundred of them: there while they are looked at
              comboboxProps={{ keepMounted: false }}
              nothingFoundMessage={t('rules.noZone')}
              onChange={(value) => value && change.save({ time_zone: value })}
            />
          )}
        </SettingRow>
      </Panel>
    </>
  )
}

/** Whether news is sent one by one, or together. */
function DigestPanel({ rules, save, stateOf }: RulesPanel) {
  const { t } = useTranslation('notifications')
  return (
    <Panel title={t('rules.digest.title')}>
      <SettingRow
        label={t('rules.digest.label')}
        hint={t('rules.digest.hint')}
        state={stateOf('digest')}
        wide
      >
        {(ids) => (
          <SegmentedControl
            {...ids}
            fullWidth
            value={rules.digest}
            onChange={(digest) => save({ digest })}
            data={DIGESTS.map((value) => ({ value, label: t(`rules.digest.${value}`) }))}
          />
        )}
      </SettingRow>
      {rules.digest === 'daily' && (
        <SettingRow label={t('rules.digest.at')} state={stateOf('digest_at')} nested>
          {(ids) => (
            <ClockInput {...ids} value={rules.digest_at} onSave={(time) => save({ digest_at: time })} />
          )}
        </SettingRow>
      )}
    </Panel>
  )
}
