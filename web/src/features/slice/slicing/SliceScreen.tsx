import { Button, Switch, TextInput } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useStoredChoice } from '../../../lib/stored.ts'
import { useTitle } from '../../../lib/title.ts'
import { toast } from '../../../lib/toast.ts'
import { Columns } from '../../../ui/Columns.tsx'
import { Notice, useProblemText } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { DEFAULTS, OF_FILAMENT, type Values, wordsOf } from './fields.ts'
import { ModelsPanel } from './ModelsPanel.tsx'
import { PiecePanel } from './PiecePanel.tsx'
import { cornersOf, middleOf, type Piece, pieceOf, usePlate } from './plate.ts'
import { type Measured, type PlateHandle, PlateStage } from './PlateStage.tsx'
import { type Chosen, ProfilePanel } from './ProfilePanel.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { engineQuery, keepSettings, presetQuery, settingsQuery, startSlice } from './slicing.api.ts'
import { SliceRun, Sliced } from './SliceRun.tsx'
import styles from './Slicing.module.css'
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
  if (engine?.name === null)
    return (
      <Notice whole title={t('noSlicer')}>
        <p>{t('noSlicerText')}</p>
      </Notice>
    )
  return (
    <>
      <PageHeader title={t('title')} note={engine?.name} back={{ to: paths.folders, label: t('toFiles') }} />
      <Slicer />
    </>
  )
}

function Slicer() {
  const { t } = useTranslation('slicing')
  const [first] = useState(addressed)
  const [name, setName] = useState(first.name)
  const [chosen, choose] = useChosen()
  const settings = useValues(chosen)
  const { machine } = chosen
  const corners = useMemo(() => cornersOf(machine?.printable_area), [machine])
  const middle = useMemo(() => middleOf(corners), [corners])
  const plate = usePlate(() => first.urls.map((url) => pieceOf(url, t('mesh'), null, [110, 110])))
  const { pieces, change } = plate
  const [key, setKey] = useState<string | null>(pieces[0]?.key ?? null)
  const [measured, setMeasured] = useState<ReadonlyMap<string, Measured>>(new Map())
  const stage = useRef<PlateHandle>(null)
  const current = pieces.find((piece) => piece.key === key) ?? null

  // Another printer has another bed: all stand in its middle again.
  const bed = useRef(middle)
  useEffect(() => {
    if (bed.current === middle) return
    bed.current = middle
    change((all) => all.map((piece) => ({ ...piece, translate: [middle[0], middle[1], 0] })))
  }, [middle, change])

  const add = (piece: Piece) => {
    change((all) => [...all, piece])
    setKey(piece.key)
    if (name === '') setName(`${piece.name}.gcode`)
  }
  const put = (piece: Piece) => change((all) => all.map((one) => (one.key === piece.key ? piece : one)))
  const outside = pieces.find((piece) => measured.get(piece.key)?.isOutside)

  return (
    <Columns>
      <div className={styles.column}>
        <PlateStage
          ref={stage}
          pieces={pieces}
          chosen={key}
          corners={corners}
          height={machine?.printable_height ?? DEFAULT_HEIGHT}
          onChoose={setKey}
          onMove={(moved, x, y) =>
            change((all) => all.map((one) => (one.key === moved ? { ...one, translate: [x, y, 0] } : one)))
          }
          onMeasured={setMeasured}
          onFailed={() => toast(t('meshFailed'), 'failed')}
        />
        <SliceBar
          pieces={pieces}
          chosen={chosen}
          overwrites={settings.sent}
          outside={outside?.name ?? null}
          name={name}
          onName={setName}
          picture={async () => (await stage.current?.picture()) ?? new Blob([])}
        />
      </div>
      <div className={styles.column}>
        <ModelsPanel onAdd={(model) => add(pieceOf(model.mesh_url, model.name, model.size, middle))} />
        <PiecePanel
          pieces={pieces}
          chosen={current}
          measured={measured}
          middle={middle}
          undo={plate.undo}
          redo={plate.redo}
          onChoose={setKey}
          onChange={put}
          onCopy={(piece) =>
            add({
              ...pieceOf(piece.url, piece.name, piece.size, middle),
              rotate: piece.rotate,
              scale: piece.scale,
              translate: [
                piece.translate[0] + (measured.get(piece.key)?.size[0] ?? 20) + 5,
                piece.translate[1],
                0,
              ],
            })
          }
          onRemove={(piece) => change((all) => all.filter((one) => one.key !== piece.key))}
        />
        <ProfilePanel
          chosen={chosen}
          onMachine={(one) => {
            choose({ machine: one, filament: one.default_filament, process: one.default_print_process })
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
        {chosen.process && chosen.filament && (
          <SettingsForm
            values={settings.values}
            changed={settings.own}
            onChange={settings.set}
            onReset={() => settings.forget(() => true)}
          />
        )}
      </div>
    </Columns>
  )
}

interface SliceBarProps {
  pieces: readonly Piece[]
  chosen: Chosen
  overwrites: Values
  outside: string | null
  name: string
  onName: (name: string) => void
  picture: () => Promise<Blob>
}

/** The button, and what comes of it. */
function SliceBar({ pieces, chosen, overwrites, outside, name, onName, picture }: SliceBarProps) {
  const { t } = useTranslation('slicing')
  const problemText = useProblemText()
  const [stay, setStay] = useStoredChoice('slicer-stay', ['yes', 'no'], 'no')
  const [isSending, setSending] = useState(false)
  const [job, setJob] = useState<string | null>(null)
  const [fileId, setFileId] = useState<number | null>(null)
  const end = useCallback((made: number | null) => {
    setJob(null)
    setFileId(made)
  }, [])
  const { machine, filament, process } = chosen
  const isReady = pieces.length > 0 && name.trim() !== '' && machine && filament && process
  const slice = async () => {
    if (!machine || !filament || !process) return
    setSending(true)
    setFileId(null)
    try {
      const params = {
        meshes: pieces.map(({ key: meshID, url, translate, rotate, scale }) => ({
          meshID,
          url,
          translate: vector(translate),
          rotate: vector(rotate),
          scale: vector(scale),
        })),
        slicer_profiles: {
          machine_sub_path: machine.sub_path,
          filament_sub_path: filament.sub_path,
          print_process_sub_path: process.sub_path,
        },
        profile_overwrites: { ...overwrites },
        target_gcode_name: name,
      }
      setJob(await startSlice(params, await picture()))
    } catch (error) {
      toast(problemText(problemOf(error)), 'failed', t('error'))
    } finally {
      setSending(false)
    }
  }
  return (
    <>
      <div className={styles.bar}>
        <TextInput
          label={t('name')}
          value={name}
          maxLength={150}
          onChange={(event) => onName(event.currentTarget.value)}
        />
        <Switch
          label={t('stay')}
          checked={stay === 'yes'}
          onChange={(event) => setStay(event.currentTarget.checked ? 'yes' : 'no')}
        />
        <Button
          variant="filled"
          size="md"
          leftSection={<IconStack2 size={18} stroke={1.75} />}
          loading={isSending}
          disabled={!isReady || outside !== null}
          onClick={() => void slice()}
        >
          {outside === null ? t('slice') : t('beyond', { name: outside })}
        </Button>
      </div>
      {job !== null && <SliceRun job={job} isStaying={stay === 'yes'} onEnd={end} />}
      {fileId !== null && <Sliced fileId={fileId} />}
    </>
  )
}

const vector = ([x, y, z]: readonly [number, number, number]): [number, number, number] => [x, y, z]
