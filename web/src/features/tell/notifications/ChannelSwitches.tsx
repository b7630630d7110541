import { Switch } from '@mantine/core'
import type {
  Feature,
  NotificationSetting,
  Plugin,
  SwitchesWrite,
} from '@vigil/contract/tell/notifications.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type SaveState, SettingRow } from '../../../ui/SettingRow.tsx'
import { changeChannel, keepChannel } from './notifications.api.ts'

/** What belongs to the switch "print job events"; turned on by it, two of them are. */
const JOB_EVENTS = [
  'notify_on_print_done',
  'notify_on_print_cancelled',
  'notify_on_filament_change',
  'notify_on_print_start',
  'notify_on_print_pause',
  'notify_on_print_resume',
] as const satisfies readonly Feature[]
const HINTS: Partial<Record<Feature | 'enabled', 'alertHint' | 'watchHint'>> = {
  notify_on_failure_alert: 'alertHint',
  notify_on_not_watching: 'watchHint',
}
const USUAL: readonly Feature[] = ['notify_on_print_done', 'notify_on_filament_change']

interface ChannelSwitchesProps {
  setting: NotificationSetting
  plugin: Plugin
  /** All notifications are off: alerts alone are sent. */
  disabled: boolean
}

/** What a channel is told of. */
export function ChannelSwitches({ setting, plugin, disabled }: ChannelSwitchesProps) {
  const { t } = useTranslation('notifications')
  const { save, stateOf } = useSwitches(setting)
  const can = (feature: Feature) => plugin.features.includes(feature)
  const jobEvents = JOB_EVENTS.filter(can)
  const anyOn = jobEvents.some((feature) => setting[feature])

  function setAll(on: boolean) {
    save(Object.fromEntries(jobEvents.map((feature) => [feature, on && USUAL.includes(feature)])))
  }

  const row = (feature: Feature | 'enabled', more: { nested?: boolean; off?: boolean } = {}) => (
    <SettingRow
      key={feature}
      label={t(`switch.${feature}`)}
      hint={HINTS[feature] && t(`switch.${HINTS[feature]}`)}
      state={stateOf(feature)}
      nested={more.nested ?? false}
    >
      {(ids) => (
        <Switch
          {...ids}
          checked={setting[feature]}
          disabled={more.off ?? false}
          onChange={(event) => save({ [feature]: event.currentTarget.checked })}
        />
      )}
    </SettingRow>
  )

  return (
    <Panel title={t('switch.title')}>
      {row('enabled')}
      {can('notify_on_failure_alert') && row('notify_on_failure_alert', { off: !setting.enabled })}
      {can('notify_on_not_watching') && row('notify_on_not_watching', { off: disabled || !setting.enabled })}
      {jobEvents.length > 0 && (
        <SettingRow label={t('switch.jobEvents')} hint={disabled ? t('switch.masterOff') : undefined}>
          {(ids) => (
            <Switch
              {...ids}
              checked={anyOn}
              disabled={disabled || !setting.enabled}
              onChange={(event) => setAll(event.currentTarget.checked)}
            />
          )}
        </SettingRow>
      )}
      {anyOn && jobEvents.map((feature) => row(feature, { nested: true, off: disabled || !setting.enabled }))}
      {can('notify_on_heater_status') &&
        row('notify_on_heater_status', { off: disabled || !setting.enabled })}
    </Panel>
  )
}

/** Turned at once; what could not be saved says so where it was turned, and turns back. */
function useSwitches(setting: NotificationSetting) {
  const client = useQueryClient()
  const problemText = useProblemText()
  const saving = useMutation({
    mutationFn: (changes: SwitchesWrite) => changeChannel(setting, changes),
    onMutate: (changes) => {
      const next = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
      keepChannel(client, setting.name, { ...setting, ...next })
      return setting
    },
    onSuccess: (after) => keepChannel(client, setting.name, after),
    onError: (_error, _changes, before) => before && keepChannel(client, setting.name, before),
  })
  const problem = saving.error ? problemOf(saving.error) : null
  const stateOf = (feature: string): SaveState => {
    if (!saving.variables || !(feature in saving.variables)) return { phase: 'idle', error: null }
    const phase = saving.isPending ? 'saving' : problem ? 'failed' : saving.isSuccess ? 'saved' : 'idle'
    return { phase, error: problem ? problemText(problem) : null }
  }
  return { save: saving.mutate, stateOf }
}
