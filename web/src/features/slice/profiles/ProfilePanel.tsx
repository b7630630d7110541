import { useRouterState } from '@tanstack/react-router'
import type { SliceMachine, SlicePreset } from '@vigil/contract/slice/slicer.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { Panel } from '../../../ui/Panel.tsx'
import type { Chosen, Settings } from './chosen.ts'
import type { Field, Tab } from './fields.ts'
import { MachineSheet } from './MachineSheet.tsx'
import { PickSheet } from './PickSheet.tsx'
import { PresetSheet } from './PresetSheet.tsx'
import { ProfileSheet, type ProfileSheetProps } from './ProfileSheet.tsx'
import rows from '../../../ui/Rows.module.css'
import shared from '../../../ui/shared.module.css'
import { type SheetState, useSheet } from './useSheet.ts'

interface ProfilePanelProps {
  /** Not all was ever chosen: what is asked first opens by itself. */
  isFirst: boolean
  chosen: Chosen
  settings: Settings
  onMachine: (machine: SliceMachine) => void
  onFilament: (filament: SlicePreset) => void
  onProcess: (process: SlicePreset) => void
}

const SETTLED_MS = 300

/** With what is sliced, in one row that opens its sheet; what is chosen in there has sheets of its own, one at a time. */
export function ProfilePanel(props: ProfilePanelProps) {
  const { t } = useTranslation('slicing')
  const { chosen, settings } = props
  const sheets = {
    profile: useSheet('print_profile_sheet'),
    machines: useSheet('machine_selection_sheet'),
    filaments: useSheet('filament_selection_sheet'),
    processes: useSheet('print_process_selection_sheet'),
  }
  const settle = useFirstSheets(props.isFirst, chosen, sheets)
  const { machine, filament, process } = chosen
  const names = [machine?.name, filament?.name, process?.name].filter((name) => name !== undefined)
  const changes = Object.keys(settings.own).length
  return (
    <Panel title={t('settingsTitle')}>
      <button type="button" className={rows.row} data-ends onClick={sheets.profile.open}>
        <span className={shared.soft}>{t('profile')}</span>
        <bdi>{machine === null ? t('selectPrinter') : names.join(' · ')}</bdi>
        {changes > 0 && <span className={shared.soft}>{t('changes', { count: changes })}</span>}
      </button>
      <Sheets {...props} sheets={sheets} onSettle={settle} />
    </Panel>
  )
}

interface AllSheets {
  readonly profile: SheetState
  readonly machines: SheetState
  readonly filaments: SheetState
  readonly processes: SheetState
}

/** The first that are opened: printers, where not all was ever chosen; then the settings, where one is still missing a moment after. */
function useFirstSheets(isFirst: boolean, chosen: Chosen, { profile, machines }: AllSheets): () => void {
  const latest = useRef({ chosen, profile, machines })
  useEffect(() => {
    latest.current = { chosen, profile, machines }
  })
  const isLoading = useRef(true)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Whoever is still on the way here from another page has the address of that one.
  const hasCome = useRouterState({ select: ({ status }) => status === 'idle' })
  const isOpened = useRef(false)
  useEffect(() => {
    if (!isFirst || !hasCome || isOpened.current) return
    isOpened.current = true
    latest.current.machines.open()
  }, [isFirst, hasCome])
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    if (!isLoading.current) return
    isLoading.current = false
    timer.current = setTimeout(() => {
      const { filament, process } = latest.current.chosen
      if (filament === null || process === null) latest.current.profile.open()
    }, SETTLED_MS)
  }
}

type SheetsProps = ProfilePanelProps & { sheets: AllSheets; onSettle: () => void }

/** The sheet that is on top. */
function Sheets({ sheets, onSettle, onMachine, onFilament, onProcess, chosen, settings }: SheetsProps) {
  const { profile, machines, filaments, processes } = sheets
  const { machine, filament, process } = chosen
  if (machines.isOpen) {
    const confirm = (next: SliceMachine) => {
      onMachine(next)
      machines.close()
      onSettle()
    }
    return <MachineSheet current={machine} onClose={machines.close} onConfirm={confirm} />
  }
  if (filaments.isOpen && machine) {
    const pick = andClose(onFilament, filaments)
    const sheet = { machine, current: filament, onClose: filaments.close, onPick: pick }
    return <PresetSheet kind="filament" {...sheet} />
  }
  if (processes.isOpen && machine) {
    const pick = andClose(onProcess, processes)
    const sheet = { machine, current: process, onClose: processes.close, onPick: pick }
    return <PresetSheet kind="process" {...sheet} />
  }
  if (!profile.isOpen) return null
  const open = { machines: machines.open, filaments: filaments.open, processes: processes.open }
  return (
    <SettingsSheets
      chosen={chosen}
      settings={settings}
      onOpen={(which) => open[which]()}
      onClose={profile.close}
    />
  )
}

type SettingsSheetsProps = Pick<ProfileSheetProps, 'chosen' | 'settings' | 'onOpen' | 'onClose'>

/** The settings, or over them what one of a few is picked of. */
function SettingsSheets({ settings, ...rest }: SettingsSheetsProps) {
  const [tab, setTab] = useState<Tab>('quality')
  const [picking, setPicking] = useState<Field | null>(null)
  if (picking?.kind !== 'select')
    return <ProfileSheet {...rest} settings={settings} tab={tab} onTab={setTab} onPicking={setPicking} />
  return (
    <PickSheet
      field={picking}
      value={settings.values[picking.name] ?? ''}
      onClose={() => setPicking(null)}
      onPick={(value) => {
        settings.set(picking.name, value)
        setPicking(null)
      }}
    />
  )
}

const andClose =
  <T,>(pick: (one: T) => void, sheet: { readonly close: () => void }) =>
  (one: T) => {
    pick(one)
    sheet.close()
  }
