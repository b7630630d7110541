import { Box, Button, SegmentedControl, Slider, Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Learnt } from '@vigil/contract/watch/camera-memory.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { sensitivityLevel } from '../../../printer/sensitivity.ts'
import { DEBOUNCE_MS, useField } from '../../../printer/useField.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { HelpWidget } from '../../../ui/HelpWidget.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { forgetLearnt, learntQuery } from './learnt.api.ts'

const isAnything = ({ seconds, sound_answers, confirmed_failures }: Learnt) =>
  seconds >= 1 || sound_answers > 0 || confirmed_failures > 0

/** What the detector knows of this camera, and the way to have it forgotten. */
function LearntSetting({ printer }: { printer: Printer }) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const problemText = useProblemText()
  const { data: learnt, error } = useQuery(learntQuery(printer.id))
  const words = useWords(learnt)

  const forgetting = useMutation({
    mutationFn: () => forgetLearnt(printer.id),
    onSuccess: (left) => {
      client.setQueryData(learntQuery(printer.id).queryKey, left)
      toast(t('learnt.done'), 'done')
    },
    onError: (reason) => toast(problemText(problemOf(reason)), 'failed'),
  })

  async function forget() {
    const sure = await confirm({
      title: t('learnt.title'),
      text: t('learnt.text'),
      action: t('learnt.action'),
    })
    if (sure) forgetting.mutate()
  }

  return (
    <SettingRow label={t('learnt.label')} hint={error ? problemText(problemOf(error)) : words}>
      {() => (
        <Button
          disabled={learnt === undefined || !isAnything(learnt)}
          loading={forgetting.isPending}
          onClick={() => void forget()}
        >
          {t('learnt.button')}
        </Button>
      )}
    </SettingRow>
  )
}

/** One sentence for each thing that was learnt. */
function useWords(learnt: Learnt | undefined): string {
  const { t } = useTranslation('settings')
  const { duration, moment } = useTimeText()
  if (learnt === undefined) return t('learnt.loading')
  if (!isAnything(learnt)) return t('learnt.nothing')
  const { seconds, sound_answers: answers, last_sound_answer: last, confirmed_failures: failures } = learnt
  return [
    seconds >= 1 && t('learnt.time', { time: duration(seconds) }),
    answers > 0 && t('learnt.answers', { count: answers, when: moment(ms(last) ?? 0) }),
    failures > 0 && t('learnt.failures', { count: failures }),
  ]
    .filter(Boolean)
    .join(' ')
}

export function DetectionSettings({ printer }: { printer: Printer }) {
  const { t } = useTranslation('settings')
  const enabled = useField(printer, 'watching_enabled')
  const action = useField(printer, 'action_on_failure')
  const sensitivity = useField(printer, 'detective_sensitivity', { delayMs: DEBOUNCE_MS })
  const level = sensitivityLevel(sensitivity.value)
  const off = !enabled.value

  return (
    <Panel title={t('detection')}>
      <SettingRow
        label={
          <>
            {t('watch')} <HelpWidget about={t('watch')}>{t('watchHelp')}</HelpWidget>
          </>
        }
        hint={t('watchHint', { seconds: printer.watch.checked_every })}
        state={enabled.state}
      >
        {(ids) => (
          <Switch
            {...ids}
            checked={enabled.value}
            onChange={(event) => enabled.set(event.currentTarget.checked)}
          />
        )}
      </SettingRow>
      <SettingRow
        label={t('action')}
        hint={off ? t('offHint') : t(`actionHint.${action.value}`)}
        state={action.state}
        wide
      >
        {(ids) => (
          <SegmentedControl
            {...ids}
            fullWidth
            disabled={off}
            value={action.value}
            onChange={(value) => action.set(value)}
            data={[
              { value: 'NONE', label: t('actionChoice.NONE') },
              { value: 'PAUSE', label: t('actionChoice.PAUSE') },
            ]}
          />
        )}
      </SettingRow>
      <SettingRow
        label={
          <>
            {t('sensitivity', { level: t(`level.${level}`) })}{' '}
            <HelpWidget about={t('sensitivityName')}>{t('sensitivityHelp')}</HelpWidget>
          </>
        }
        hint={off ? t('offHint') : t(`levelHint.${level}`)}
        state={sensitivity.state}
        wide
      >
        {(ids) => (
          <Box p="4px 14px 26px 6px">
            <Slider
              thumbProps={ids}
              thumbValueText={`${t(`level.${level}`)} (${sensitivity.value.toFixed(2)})`}
              disabled={off}
              min={0.8}
              max={1.2}
              step={0.05}
              label={null}
              value={sensitivity.value}
              onChange={(value) => sensitivity.set(Number(value.toFixed(2)))}
              marks={[
                { value: 0.8, label: t('level.low') },
                { value: 1, label: t('level.medium') },
                { value: 1.2, label: t('level.high') },
              ]}
            />
          </Box>
        )}
      </SettingRow>
      <LearntSetting printer={printer} />
    </Panel>
  )
}
