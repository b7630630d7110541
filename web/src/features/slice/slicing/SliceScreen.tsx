import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { MeshModel } from '@vigil/contract/slice/models.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { toast } from '../../../lib/toast.ts'
import { Columns } from '../../../ui/Columns.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { DEFAULTS, OF_FILAMENT, type Values, wordsOf } from './fields.ts'
import { ModelsPanel } from './ModelsPanel.tsx'
import { NoSlicer } from './NoSlicer.tsx'
import { PiecePanel } from './PiecePanel.tsx'
import { cornersOf, middleOf, type Piece, pieceOf, usePlate } from './plate.ts'
import { type Measured, type PlateHandle, PlateStage } from './PlateStage.tsx'
import { PresetsPanel } from './PresetsPanel.tsx'
import { type Chosen, ProfilePanel } from './ProfilePanel.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { SliceBar } from './SliceBar.tsx'
import { engineQuery, keepSettings, presetQuery, settingsQuery } from './slicing.api.ts'
import { useNoSheets } from './useSheet.ts'

const DEFAULT_HEIGHT = 220

/** Meshes that the address names, `3d_mesh_url` or `mesh_url` as often as there are meshes. */
function addressed(): { urls: string[]; name: string } {
  const given = new URLSearchParams(location.search)
  return {
    urls: [...given.getAll('3d_mesh_url'), ...given.getAll('mesh_url')].slice(0, 100),
    name: given.get('target_gcode_name') ?? '',
  }
}

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
  return [chosen, choose] as const
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

/** What is on the plate of this printer, which of it is chosen, and what that measures. */
function usePieces({ machine }: Chosen, first: readonly string[]) {
  const { t } = useTranslation('slicing')
  const corners = useMemo(() => cornersOf(machine?.printable_area), [machine])
  const middle = useMemo(() => middleOf(corners), [corners])
  const plate = usePlate(() => first.map((url) => pieceOf(url, t('mesh'), null, middle)))
  const { pieces, change } = plate
  const [key, choose] = useState<string | null>(pieces[0]?.key ?? null)
  const [measured, setMeasured] = useState<ReadonlyMap<string, Measured>>(new Map())

  // Another printer has another bed: all stand in its middle again.
  const bed = useRef(middle)
  useEffect(() => {
    if (bed.current === middle) return
    bed.current = middle
    change((all) => all.map((piece) => ({ ...piece, translate: [middle[0], middle[1], 0] })))
  }, [middle, change])

  const add = (piece: Piece) => {
    change((all) => [...all, piece])
    choose(piece.key)
  }
  const copy = (piece: Piece) => {
    const beside = piece.translate[0] + (measured.get(piece.key)?.size[0] ?? 20) + 5
    const { rotate, scale } = piece
    const fresh = pieceOf(piece.url, piece.name, piece.size, [beside, piece.translate[1]])
    add({ ...fresh, rotate, scale })
  }
  return {
    ...plate,
    corners,
    middle,
    key,
    choose,
    measured,
    setMeasured,
    add,
    copy,
    put: (piece: Piece) => change((all) => all.map((one) => (one.key === piece.key ? piece : one))),
    remove: (piece: Piece) => change((all) => all.filter((one) => one.key !== piece.key)),
    outside: pieces.find((piece) => measured.get(piece.key)?.isOutside)?.name ?? null,
  }
}

function Slicer() {
  const { t } = useTranslation('slicing')
  const [first] = useState(addressed)
  const [name, setName] = useState(first.name)
  const [chosen, choose] = useChosen()
  const settings = useValues(chosen)
  const plate = usePieces(chosen, first.urls)
  const stage = useRef<PlateHandle>(null)
  const add = (model: MeshModel) => {
    plate.add(pieceOf(model.mesh_url, model.name, model.size, plate.middle))
    if (name === '') setName(`${model.name}.gcode`)
  }
  return (
    <Columns>
      <Stack gap={14} miw={0}>
        <PlateStage
          ref={stage}
          pieces={plate.pieces}
          chosen={plate.key}
          corners={plate.corners}
          height={chosen.machine?.printable_height ?? DEFAULT_HEIGHT}
          onChoose={plate.choose}
          onMove={(key, x, y) => {
            const moved = plate.pieces.find((piece) => piece.key === key)
            if (moved) plate.put({ ...moved, translate: [x, y, 0] })
          }}
          onMeasured={plate.setMeasured}
          onFailed={() => toast(t('meshFailed'), 'failed')}
        />
        <SliceBar
          pieces={plate.pieces}
          chosen={chosen}
          overwrites={settings.sent}
          outside={plate.outside}
          name={name}
          onName={setName}
          picture={async () => (await stage.current?.picture()) ?? new Blob([])}
        />
      </Stack>
      <Stack gap={14} miw={0}>
        <ModelsPanel onAdd={add} />
        <OnPlate plate={plate} />
        <Profiles chosen={chosen} choose={choose} settings={settings} />
      </Stack>
    </Columns>
  )
}

const OnPlate = ({ plate }: { plate: ReturnType<typeof usePieces> }) => (
  <PiecePanel
    pieces={plate.pieces}
    chosen={plate.pieces.find((piece) => piece.key === plate.key) ?? null}
    measured={plate.measured}
    middle={plate.middle}
    undo={plate.undo}
    redo={plate.redo}
    onChoose={plate.choose}
    onChange={plate.put}
    onCopy={plate.copy}
    onRemove={plate.remove}
  />
)

interface ProfilesProps {
  chosen: Chosen
  choose: (next: Chosen) => void
  settings: ReturnType<typeof useValues>
}

/** With what is sliced, and what is changed of it: that goes with what it was changed of. */
const Profiles = ({ chosen, choose, settings }: ProfilesProps) => (
  <>
    <ProfilePanel
      chosen={chosen}
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
    <PresetsPanel
      chosen={chosen}
      own={settings.own}
      onApply={({ machine, filament, print_process: process, profile_overwrites: own }) => {
        choose({ machine, filament, process })
        settings.replace(own)
      }}
    />
    {chosen.process && chosen.filament && (
      <SettingsForm
        values={settings.values}
        changed={settings.own}
        onChange={settings.set}
        onReset={() => settings.forget(() => true)}
      />
    )}
  </>
)
