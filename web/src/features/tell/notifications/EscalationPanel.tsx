import { Select, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import { CHANNELS } from './channels.ts'
import { isAvailable, pluginsQuery, settingsQuery } from './notifications.api.ts'
import styles from './Notifications.module.css'
import type { RulesPanel } from './QuietPanel.tsx'
import { useChannelWords } from './useChannelWords.ts'

const MINUTES = [1, 2, 5, 10, 15]
const USUAL = 5
const STEPS = [0, 1, 2, 3]

/** Who is told of an alert next, when nobody answers it. */
export function EscalationPanel({ rules, save, stateOf }: RulesPanel) {
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
                className={styles.step}
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
                    className={styles.step}
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
