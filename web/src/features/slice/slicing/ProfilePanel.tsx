import { Button, NativeSelect, NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { MachineBrand, SliceMachine, SlicePreset } from '@vigil/contract/slice/slicer.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverUrl } from '../../../lib/base.ts'
import { problemOf } from '../../../lib/errors.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { ownMachinesQuery } from './presets.api.ts'
import { usePrice } from './price.ts'
import { filamentsQuery, machinesQuery, processesQuery } from './slicing.api.ts'
import styles from './Slicing.module.css'
import { useSheet } from './useSheet.ts'

/** With what is sliced. */
export interface Chosen {
  readonly machine: SliceMachine | null
  readonly filament: SlicePreset | null
  readonly process: SlicePreset | null
}

interface ProfilePanelProps {
  /** Nothing was ever chosen: what is asked first opens by itself. */
  isFirst: boolean
  chosen: Chosen
  onMachine: (machine: SliceMachine) => void
  onFilament: (filament: SlicePreset) => void
  onProcess: (process: SlicePreset) => void
}

/** Printer, filament and process: each can be chosen when the one before it is. */
export function ProfilePanel(props: ProfilePanelProps) {
  const { t } = useTranslation('slicing')
  const machines = useSheet('machine_selection_sheet')
  const filaments = useSheet('filament_selection_sheet')
  const processes = useSheet('print_process_selection_sheet')
  useFirstSheet(props.isFirst, machines.open)
  const { machine, filament, process } = props.chosen
  return (
    <Panel title={t('settingsTitle')}>
      <ul className={styles.rows}>
        <Row label={t('printer')} preset={machine} none={t('selectPrinter')} onOpen={machines.open} />
        <Row
          label={t('filament')}
          preset={filament}
          none={t(machine ? 'selectFilament' : 'selectPrinterFirst')}
          isClosed={!machine}
          onOpen={filaments.open}
        />
        <Row
          label={t('process')}
          preset={process}
          none={t(machine && filament ? 'selectProcess' : 'selectBoth')}
          isClosed={!machine || !filament}
          onOpen={processes.open}
        />
      </ul>
      {machines.isOpen && (
        <MachineSheet
          current={machine}
          onClose={machines.close}
          onConfirm={andClose(props.onMachine, machines)}
        />
      )}
      <Presets
        kind="filament"
        sheet={filaments}
        machine={machine}
        current={filament}
        onPick={props.onFilament}
      />
      <Presets
        kind="process"
        sheet={processes}
        machine={machine}
        current={process}
        onPick={props.onProcess}
      />
    </Panel>
  )
}

function useFirstSheet(isFirst: boolean, open: () => void): void {
  const latest = useRef(open)
  useEffect(() => {
    latest.current = open
  })
  useEffect(() => {
    if (isFirst) latest.current()
  }, [isFirst])
}

interface PresetsProps extends Pick<PresetSheetProps, 'kind' | 'current' | 'onPick'> {
  sheet: ReturnType<typeof useSheet>
  machine: SliceMachine | null
}

const Presets = ({ sheet, machine, onPick, ...rest }: PresetsProps) =>
  sheet.isOpen &&
  machine && (
    <PresetSheet {...rest} machine={machine} onClose={sheet.close} onPick={andClose(onPick, sheet)} />
  )

const andClose =
  <T,>(pick: (one: T) => void, sheet: { readonly close: () => void }) =>
  (one: T) => {
    pick(one)
    sheet.close()
  }

interface RowProps {
  label: string
  preset: { readonly name: string } | null
  none: string
  isClosed?: boolean
  onOpen: () => void
}

const Row = ({ label, preset, none, isClosed = false, onOpen }: RowProps) => (
  <li>
    <button type="button" className={styles.row} disabled={isClosed} onClick={onOpen}>
      <span className={styles.soft}>{label}</span>
      <bdi className={preset ? undefined : styles.soft}>{preset?.name ?? none}</bdi>
    </button>
  </li>
)

interface MachineSheetProps {
  current: SliceMachine | null
  onConfirm: (machine: SliceMachine) => void
  onClose: () => void
}

/** Printers by their makers; each with its nozzles, of which one is confirmed. */
function MachineSheet({ current, onConfirm, onClose }: MachineSheetProps) {
  const { t } = useTranslation('slicing')
  const { data, error, refetch } = useQuery(machinesQuery)
  const [asked, setAsked] = useState<string | null>(null)
  const [picked, setPicked] = useState<SliceMachine | null>(current)
  const own = data?.find((one) => machinesOf(one).some(({ id }) => id === picked?.id))
  const brand = data?.find((one) => one.brand === asked) ?? own ?? data?.[0]
  return (
    <Dialog onClose={onClose} title={t('selectPrinter')} size="lg">
      {!data && error && (
        <Failed title={t('failedProfiles')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {!error && (!data || data.length === 0) && <p role="status">{t('loadingFilaments')}</p>}
      {brand && (
        <>
          <OwnMachines
            picked={picked}
            onPick={(machine) => {
              setPicked(machine)
              setAsked(null)
            }}
          />
          <NativeSelect
            label={t('brand')}
            value={brand.brand}
            data={(data ?? []).map((one) => one.brand)}
            onChange={(event) => setAsked(event.currentTarget.value)}
          />
          <ul className={styles.machines}>
            {brand.machine_models.map((model) => (
              <ModelRow key={model.id} model={model} picked={picked} onPick={setPicked} />
            ))}
          </ul>
        </>
      )}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
        <Button variant="filled" disabled={picked === null} onClick={() => picked && onConfirm(picked)}>
          {t('confirm')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

/** Printers of one's own first, each as the machine that it seems to be. */
function OwnMachines({ picked, onPick }: Pick<ModelRowProps, 'picked' | 'onPick'>) {
  const { t } = useTranslation('slicing')
  const { data = [] } = useQuery(ownMachinesQuery)
  if (data.length === 0) return null
  return (
    <ul className={styles.presets} aria-label={t('myPrinters')}>
      {data.map(({ printer, machine }) => (
        <li key={printer.id}>
          <button
            type="button"
            className={styles.row}
            aria-pressed={picked?.id === machine.id}
            onClick={() => onPick(machine)}
          >
            <bdi>{printer.name}</bdi>
            <span className={styles.soft}>{machine.name}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface ModelRowProps {
  model: MachineBrand['machine_models'][number]
  picked: SliceMachine | null
  onPick: (machine: SliceMachine) => void
}

/** A model of printers with its picture, and its nozzles to choose from. */
const ModelRow = ({ model, picked, onPick }: ModelRowProps) => (
  <li className={styles.machine}>
    {model.cover_img_url && (
      <img src={serverUrl(model.cover_img_url)} alt="" width={54} height={75} loading="lazy" />
    )}
    <fieldset className={styles.nozzles}>
      <legend>{model.name}</legend>
      {model.machines.map((machine) => (
        <label key={machine.id}>
          <input
            type="radio"
            name="machine"
            checked={picked?.id === machine.id}
            onChange={() => onPick(machine)}
          />
          <span>{nozzleOf(machine, model.machines)}</span>
        </label>
      ))}
    </fieldset>
  </li>
)

const machinesOf = (brand: MachineBrand) => brand.machine_models.flatMap((model) => model.machines)

/** Its nozzle, or its name where others have the same. */
function nozzleOf(machine: SliceMachine, all: readonly SliceMachine[]): string {
  const nozzle = machine.nozzle_diameter[0] ?? ''
  const isAlone = all.filter((one) => one.nozzle_diameter[0] === nozzle).length === 1
  return isAlone ? `${nozzle} mm` : machine.name
}

/** What a kilogram costs: for what a print comes to. */
function Price() {
  const { t } = useTranslation('slicing')
  const [price, setPrice] = usePrice()
  return (
    <NumberInput
      label={t('price')}
      min={0}
      decimalScale={2}
      value={price ?? ''}
      onChange={(value) => setPrice(typeof value === 'number' && value > 0 ? value : null)}
    />
  )
}

interface PresetSheetProps {
  kind: 'filament' | 'process'
  machine: SliceMachine
  current: SlicePreset | null
  onPick: (preset: SlicePreset) => void
  onClose: () => void
}

function PresetSheet({ kind, machine, current, onPick, onClose }: PresetSheetProps) {
  const { t } = useTranslation('slicing')
  const query = kind === 'filament' ? filamentsQuery(machine.id) : processesQuery(machine.id)
  const { data, error, refetch } = useQuery(query)
  return (
    <Dialog onClose={onClose} title={t(kind === 'filament' ? 'selectFilament' : 'selectProcess')}>
      {!data && error && (
        <Failed title={t('failedProfiles')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {!data && !error && <p role="status">{t('loadingFilaments')}</p>}
      {kind === 'filament' && <Price />}
      {data?.length === 0 && <p>{t('noFilaments')}</p>}
      <ul className={styles.presets}>
        {data?.map((preset) => (
          <li key={preset.id}>
            <button
              type="button"
              className={styles.row}
              aria-pressed={preset.id === current?.id}
              onClick={() => onPick(preset)}
            >
              <bdi>{preset.name}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
