import { Button, SegmentedControl, Slider, Switch } from '@mantine/core'
import type { Replay } from '@vigil/contract/prints/replay.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { savePrinter } from '../../../printer/printers.api.ts'
import { sensitivityLevel } from '../../../printer/sensitivity.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import { saveZones, zonesQuery } from '../../printers/zones/index.ts'
import styles from './Replay.module.css'
import { replayQuery, type Trial } from './replay.api.ts'

interface SettingsPanelProps {
  replay: Replay
  trial: Trial
  /** Whether today's detector has looked. */
  hasRun: boolean
  onTrial: (change: Partial<Trial>) => void
}

/** What the print is judged again with; nothing of it reaches the printer before it is asked for. */
export function SettingsPanel({ replay, trial, hasRun, onTrial }: SettingsPanelProps) {
  const { t } = useTranslation('replay')
  const { printer } = replay
  return (
    <Panel title={t('settings.title')}>
      <Sensitivity value={trial.sensitivity} onChange={(sensitivity) => onTrial({ sensitivity })} />
      {printer?.has_learnt && (
        <SettingRow label={t('settings.learnt')} hint={t('settings.learntHint')}>
          {(ids) => (
            <Switch
              {...ids}
              checked={trial.withLearnt}
              onChange={(event) => onTrial({ withLearnt: event.currentTarget.checked })}
            />
          )}
        </SettingRow>
      )}
      {replay.frames === 0 && printer && printer.zones.length > 0 && (
        <SettingRow label={t('settings.zones')} hint={t('settings.zonesHint')}>
          {(ids) => (
            <Switch
              {...ids}
              checked={trial.zones.length > 0}
              onChange={(event) => onTrial({ zones: event.currentTarget.checked ? printer.zones : [] })}
            />
          )}
        </SettingRow>
      )}
      <SettingRow label={t('settings.over')} hint={hasRun ? undefined : t('settings.overHint')} wide>
        {(ids) => (
          <SegmentedControl
            {...ids}
            fullWidth
            disabled={!hasRun}
            value={trial.over}
            onChange={(over) => onTrial({ over })}
            data={[
              { value: 'scores' as const, label: t('settings.scores') },
              { value: 'run' as const, label: t('settings.run') },
            ]}
          />
        )}
      </SettingRow>
      {replay.had_zones && trial.over === 'scores' && (
        <p className={styles.note}>{t(replay.frames > 0 ? 'settings.hadZones' : 'settings.hadZonesOnly')}</p>
      )}
      {printer && <Apply replay={replay} trial={trial} />}
    </Panel>
  )
}

function Sensitivity({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const { t } = useTranslation('settings')
  const level = sensitivityLevel(value)
  return (
    <SettingRow label={t('sensitivity', { level: t(`level.${level}`) })} hint={t(`levelHint.${level}`)} wide>
      {(ids) => (
        <div className={styles.slider}>
          <Slider
            thumbProps={ids}
            thumbValueText={`${t(`level.${level}`)} (${value.toFixed(2)})`}
            min={0.8}
            max={1.2}
            step={0.05}
            label={null}
            value={value}
            onChange={(next) => onChange(Number(next.toFixed(2)))}
            marks={[
              { value: 0.8, label: t('level.low') },
              { value: 1, label: t('level.medium') },
              { value: 1.2, label: t('level.high') },
            ]}
          />
        </div>
      )}
    </SettingRow>
  )
}

/** What was tried becomes what the printer is set to, once asked. */
function Apply({ replay, trial }: { replay: Replay; trial: Trial }) {
  const { t } = useTranslation('replay')
  const client = useQueryClient()
  const problemText = useProblemText()
  const { printer } = replay
  const applying = useMutation({
    mutationFn: async (id: number) => {
      await savePrinter(id, { detective_sensitivity: trial.sensitivity })
      return await saveZones(id, trial.zones)
    },
    onSuccess: (kept, id) => {
      client.setQueryData(zonesQuery(id).queryKey, kept)
      client.setQueryData(replayQuery(replay.print_id).queryKey, (held) =>
        held?.printer
          ? { ...held, printer: { ...held.printer, sensitivity: trial.sensitivity, zones: kept.zones } }
          : held,
      )
      toast(t('apply.done'), 'done')
    },
    onError: (error) => toast(problemText(problemOf(error)), 'failed'),
  })
  if (!printer) return null
  const { id, name } = printer
  const isSame =
    trial.sensitivity === printer.sensitivity && JSON.stringify(trial.zones) === JSON.stringify(printer.zones)
  async function ask() {
    const sure = await confirm({
      title: t('apply.title', { name }),
      text: t('apply.text'),
      action: t('apply.action'),
    })
    if (sure) applying.mutate(id)
  }
  return (
    <div className={styles.buttons}>
      <Button disabled={isSame} loading={applying.isPending} onClick={() => void ask()}>
        {t('apply.button', { name })}
      </Button>
      {isSame && <span className={styles.note}>{t('apply.same')}</span>}
    </div>
  )
}
