import { Skeleton, Button, TextInput, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, Link } from '@tanstack/react-router'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { useId } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { useTitle } from '../../../lib/title.ts'
import { Deleted } from '../../../printer/NoPrinter.tsx'
import { printerQuery } from '../../../printer/printers.api.ts'
import { mayEdit } from '../../../printer/rights.ts'
import { useField } from '../../../printer/useField.ts'
import { HelpWidget } from '../../../ui/HelpWidget.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow, describedByRow } from '../../../ui/SettingRow.tsx'
import { MachineSettings } from '../../files/machines/index.ts'
import { ZonesPanel } from '../zones/index.ts'
import { DangerZone } from './DangerZone.tsx'
import { DetectionSettings } from './DetectionSettings.tsx'
import { learntQuery } from './learnt.api.ts'
import { DEFAULTS, secondsOf, TIMELAPSE_OFF, movement } from './rules.ts'
import shared from '../../../ui/shared.module.css'
import { SwitchedNumber } from './SwitchedNumber.tsx'

/** The name is required and at most 200 characters (docs/rules/pages.md 3). */
const LONGEST_NAME = 200

/** How high what comes will be, in both columns. */
const SKELETONS = [
  [84, 294, 380],
  [360, 180, 330],
]

export function GeneralSettings({ printer }: { printer: Printer }) {
  const { t } = useTranslation('settings')
  const name = useField(printer, 'name', { typed: true })
  return (
    <Panel title={t('general')}>
      <SettingRow label={t('name')} hint={t('nameHint')} state={name.state}>
        {(ids) => (
          <TextInput
            {...ids}
            {...describedByRow}
            w="min(320px, 52vw)"
            value={name.value}
            maxLength={LONGEST_NAME}
            error={name.state.phase === 'failed'}
            aria-invalid={name.state.phase === 'failed'}
            onChange={(event) => name.set(event.currentTarget.value)}
            onBlur={name.flush}
          />
        )}
      </SettingRow>
    </Panel>
  )
}

export default function PrinterSettingsScreen() {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation('common')
  const id = useId()
  const { data: printer, error, isPending, refetch } = useQuery(printerQuery(id))
  // Awaited with it, so that nothing on the page moves once it stands.
  const learnt = useQuery({ ...learntQuery(id), enabled: !error })
  // Who may not change it has no business here.
  if (printer && !mayEdit(printer)) return <Deleted />
  if (printer && !learnt.isLoading) return <Settings printer={printer} />
  if (printer || isPending)
    return (
      <div className={shared.broad} aria-busy="true">
        <PageHeader back={{ to: paths.control(id), label: common('back') }} title={t('title')} />
        <div className={shared.halves}>
          {SKELETONS.map((heights) => (
            <div key={heights[0]} className={shared.half}>
              {heights.map((height) => (
                <Panel key={height}>
                  <Skeleton height={14} width={90} mb={18} />
                  <Skeleton height={height - 32} />
                </Panel>
              ))}
            </div>
          ))}
        </div>
      </div>
    )
  if (problemOf(error).kind === 'missing') return <Deleted />
  return <Failed whole title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
}

function Settings({ printer }: { printer: Printer }) {
  const { t } = useTranslation('settings')
  const navigate = useNavigate()
  useTitle(`${t('title')} · ${printer.name}`)
  useShortcut('goControl', () => void navigate({ to: paths.control(printer.id) }))
  return (
    <div className={shared.broad}>
      <PageHeader
        back={{ to: paths.control(printer.id), label: t('back', { name: printer.name }) }}
        title={t('title')}
        note={printer.name}
      />
      <div className={shared.halves}>
        <div className={shared.half}>
          <GeneralSettings printer={printer} />
          <DetectionSettings printer={printer} />
          <ZonesPanel printer={printer} />
          {printer.archived_at === null && <NozzleSettings printer={printer} />}
        </div>
        <div className={shared.half}>
          <PauseSettings printer={printer} />
          <TimelapseSettings printer={printer} />
          <MachineSettings printerId={printer.id} />
        </div>
      </div>
      <DangerZone printer={printer} />
    </div>
  )
}

/** The way to the page of its nozzle camera. */
function NozzleSettings({ printer }: { printer: Printer }) {
  const { t } = useTranslation('first-layer')
  return (
    <Panel title={t('linkLabel')}>
      <SettingRow label={t('link')} hint={t('linkHint')}>
        {() => (
          <Button
            renderRoot={(props) => (
              <Link {...props} to={paths.nozzle} search={{ printer_id: String(printer.id) }} />
            )}
          >
            {t('title')}
          </Button>
        )}
      </SettingRow>
    </Panel>
  )
}

/** From how long a print on a time-lapse is made. */
export function TimelapseSettings({ printer }: { printer: Printer }) {
  const { t } = useTranslation('settings')
  return (
    <Panel
      title={t('timelapse')}
      aside={<HelpWidget about={t('timelapse')}>{t('timelapseHelp')}</HelpWidget>}
    >
      <Timelapse
        printer={printer}
        field="min_timelapse_secs_on_finish"
        text="finish"
        initial={DEFAULTS.finishSecs}
      />
      <Timelapse
        printer={printer}
        field="min_timelapse_secs_on_cancel"
        text="cancel"
        initial={DEFAULTS.cancelSecs}
      />
    </Panel>
  )
}

interface TimelapseProps {
  printer: Printer
  field: 'min_timelapse_secs_on_finish' | 'min_timelapse_secs_on_cancel'
  text: 'finish' | 'cancel'
  initial: number
}

function Timelapse({ printer, field: key, text, initial }: TimelapseProps) {
  const { t } = useTranslation('settings')
  const field = useField(printer, key, { typed: true })
  return (
    <SwitchedNumber
      field={field}
      label={t(`timelapseOn.${text}`)}
      on={field.value !== TIMELAPSE_OFF}
      off={TIMELAPSE_OFF}
      initial={initial}
      numberLabel={t('timelapseMin')}
      value={field.value / 60}
      read={secondsOf}
      input={{ step: 5, decimalScale: 1, suffix: t('minutes') }}
    />
  )
}

/** What happens at the printer when a print is paused from here. */
export function PauseSettings({ printer }: { printer: Printer }) {
  const { t } = useTranslation('settings')
  const tools = useField(printer, 'tools_off_on_pause')
  const bed = useField(printer, 'bed_off_on_pause')
  return (
    <Panel title={t('pause')}>
      <SettingRow label={t('toolsOff')} hint={t('toolsOffHint')} state={tools.state}>
        {(ids) => (
          <Switch
            {...ids}
            checked={tools.value}
            onChange={(event) => tools.set(event.currentTarget.checked)}
          />
        )}
      </SettingRow>
      <SettingRow label={t('bedOff')} hint={t('bedOffHint')} state={bed.state}>
        {(ids) => (
          <Switch {...ids} checked={bed.value} onChange={(event) => bed.set(event.currentTarget.checked)} />
        )}
      </SettingRow>
      <Movement printer={printer} field="retract_on_pause" text="retract" initial={DEFAULTS.retract} />
      <Movement printer={printer} field="lift_z_on_pause" text="lift" initial={DEFAULTS.lift} />
    </Panel>
  )
}

interface MovementProps {
  printer: Printer
  field: 'retract_on_pause' | 'lift_z_on_pause'
  text: 'retract' | 'lift'
  initial: number
}

function Movement({ printer, field: key, text, initial }: MovementProps) {
  const { t } = useTranslation('settings')
  const field = useField(printer, key, { typed: true })
  return (
    <SwitchedNumber
      field={field}
      label={t(text)}
      hint={t(`${text}Hint`)}
      on={field.value > 0}
      off={0}
      initial={initial}
      numberLabel={t(`${text}By`)}
      value={field.value}
      read={movement}
      input={{ max: 1000, step: 0.5, decimalScale: 2, suffix: ' mm' }}
    />
  )
}
