import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { MeshModel } from '@vigil/contract/slice/models.ts'
import { useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { Columns } from '../../../ui/Columns.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import {
  type Chosen,
  DEFAULTS,
  keepSettings,
  OF_FILAMENT,
  presetQuery,
  PresetsPanel,
  ProfilePanel,
  settingsQuery,
  useNoSheets,
  type Values,
  wordsOf,
} from '../profiles/index.ts'
import { ModelsPanel } from './ModelsPanel.tsx'
import { NoSlicer } from './NoSlicer.tsx'
import { PiecePanel, type PlateHandle, usePieces, Workbench } from '../plate/index.ts'
import { SliceBar } from './SliceBar.tsx'
import { Sliced } from './Sliced.tsx'
import { engineQuery } from './slicing.api.ts'
import { useSlice } from './useSlice.ts'

/** Meshes that the address names, `3d_mesh_url` or `mesh_url` as often as there are meshes. */
function addressed(): { urls: string[]; name: string; bytes: number | null } {
  const given = new URLSearchParams(location.search)
  const bytes = Number(given.get('total_size'))
  return {
    // What comes several times is a list in one text, too.
    urls: [...given.getAll('3d_mesh_url'), ...given.getAll('mesh_url')]
      .flatMap((urls) => urls.split(','))
      .slice(0, 100),
    name: given.get('target_gcode_name') ?? '',
    bytes: bytes > 0 ? bytes : null,
  }
}

const isWhole = ({ machine, filament, process }: Chosen) =>
  machine !== null && filament !== null && process !== null

/** Printer, filament and process: as last time, until others are chosen; each choice is kept. */
function useChosen() {
  const { data } = useQuery(settingsQuery)
  const [own, setOwn] = useState<Chosen | null>(null)
  const chosen: Chosen = own ?? {
    machine: data?.machine ?? null,
    filament: data?.filament ?? null,
    process: data?.print_process ?? null,
  }
  const choose = (next: Chosen) => {
    setOwn(next)
    const { machine, filament, process } = next
    if (machine && filament && process) void keepSettings(machine, filament, process).catch(() => {})
  }
  return { chosen, choose, isFirst: data !== undefined && own === null && !isWhole(chosen) }
}

/** What holds of the profiles with one's own over them. */
function useValues({ filament, process }: Chosen) {
  const [own, setOwn] = useState<Values>({})
  const ofPrint = useQuery(presetQuery(process?.id ?? 0)).data
  const ofFilament = useQuery(presetQuery(filament?.id ?? 0)).data
  const values = { ...DEFAULTS, ...wordsOf(ofPrint), ...wordsOf(ofFilament), ...own }
  const forget = (isOne: (key: string) => boolean) =>
    setOwn((all) => Object.fromEntries(Object.entries(all).filter(([key]) => !isOne(key))))
  return {
    values,
    own,
    set: (key: string, value: string) => setOwn((all) => ({ ...all, [key]: value })),
    forget,
    replace: (next: Values) => setOwn(next),
    /** Sent with the meshes: one's own, and what holds where the profile is silent. */
    sent: { ...(ofPrint?.['brim_type'] === undefined ? { brim_type: 'auto_brim' } : {}), ...own },
  }
}

/** Models become a print: chosen, placed, sliced by the server, looked at, printed. */
export default function SliceScreen() {
  const { t } = useTranslation('slicing')
  useTitle(t('title'))
  useNoSheets()
  const { data: engine } = useQuery(engineQuery)
  if (engine?.name === null) return <NoSlicer engine={engine} />
  return (
    <>
      <PageHeader title={t('title')} note={engine?.name} back={{ to: paths.folders, label: t('toFiles') }} />
      <Slicer />
    </>
  )
}

function Slicer() {
  const [first] = useState(addressed)
  const [name, setName] = useState(first.name)
  const { chosen, choose, isFirst } = useChosen()
  const settings = useValues(chosen)
  const stage = useRef<PlateHandle>(null)
  const plate = usePieces(chosen.machine, first.urls, stage)
  const run = useSlice({
    pieces: plate.pieces,
    chosen,
    overwrites: settings.sent,
    name,
    picture: async () => (await stage.current?.picture()) ?? new Blob([]),
  })
  const add = (model: MeshModel) => {
    plate.bring(model)
    setName((now) => (now === '' ? `${model.name}.gcode` : now))
  }
  return (
    <Columns>
      <Stack gap={14} miw={0}>
        <Workbench ref={stage} plate={plate} height={chosen.machine?.printable_height} bytes={first.bytes} />
        {run.made !== null && <Sliced {...run.made} />}
      </Stack>
      <Stack gap={14} miw={0}>
        <Profiles isFirst={isFirst} chosen={chosen} choose={choose} settings={settings} />
        <SliceBar run={run} trouble={plate.trouble} onRepair={plate.arrange} name={name} onName={setName} />
        <ModelsPanel onAdd={add} onAgain={(params) => void run.begin(params)} />
        <OnPlate plate={plate} />
        <Presets chosen={chosen} choose={choose} settings={settings} />
      </Stack>
    </Columns>
  )
}

const OnPlate = ({ plate }: { plate: ReturnType<typeof usePieces> }) => (
  <PiecePanel
    pieces={plate.pieces}
    chosen={plate.chosen}
    measured={plate.measured}
    onChoose={plate.choose}
    onChange={plate.put}
    onCopy={plate.copy}
    onRemove={plate.remove}
  />
)

interface ProfilesProps {
  isFirst: boolean
  chosen: Chosen
  choose: (next: Chosen) => void
  settings: ReturnType<typeof useValues>
}

/** With what is sliced, and what is changed of it: that goes with what it was changed of. */
const Profiles = ({ isFirst, chosen, choose, settings }: ProfilesProps) => (
  <ProfilePanel
    isFirst={isFirst}
    chosen={chosen}
    settings={{ ...settings, reset: () => settings.forget(() => true) }}
    onMachine={(machine) => {
      choose({ machine, filament: machine.default_filament, process: machine.default_print_process })
      settings.forget(() => true)
    }}
    onFilament={(filament) => {
      choose({ ...chosen, filament })
      settings.forget((field) => OF_FILAMENT.has(field))
    }}
    onProcess={(process) => {
      choose({ ...chosen, process })
      settings.forget((field) => !OF_FILAMENT.has(field))
    }}
  />
)

const Presets = ({ chosen, choose, settings }: Omit<ProfilesProps, 'isFirst'>) => (
  <PresetsPanel
    chosen={chosen}
    own={settings.own}
    onApply={({ machine, filament, print_process: process, profile_overwrites: own }) => {
      choose({ machine, filament, process })
      settings.replace(own)
    }}
  />
)
