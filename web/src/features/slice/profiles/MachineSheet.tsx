import { Button, Switch, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { MachineBrand, SliceMachine } from '@vigil/contract/slice/slicer.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverUrl } from '../../../lib/base.ts'
import { problemOf } from '../../../lib/errors.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { ownMachinesQuery } from './presets.api.ts'
import { machinesQuery } from './profiles.api.ts'
import rows from '../../../ui/Rows.module.css'
import shared from '../../../ui/shared.module.css'
import styles from './Profiles.module.css'

interface MachineSheetProps {
  current: SliceMachine | null
  onConfirm: (machine: SliceMachine) => void
  onClose: () => void
}

/** Printers by their makers; each with its nozzles, of which one is confirmed. */
export function MachineSheet({ current, onConfirm, onClose }: MachineSheetProps) {
  const { t } = useTranslation('slicing')
  const { data, error, refetch } = useQuery(machinesQuery)
  const [asked, setAsked] = useState<string | null>(null)
  const [picked, setPicked] = useState<SliceMachine | null>(current)
  return (
    <Dialog onClose={onClose} title={t('selectPrinter')} size="lg">
      {!data && error && (
        <Failed title={t('failedProfiles')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {!error && (!data || data.length === 0) && <p role="status">{t('loadingFilaments')}</p>}
      {data && data.length > 0 && (
        <>
          <OwnMachines
            picked={picked}
            onPick={(machine) => {
              setPicked(machine)
              setAsked(null)
            }}
          />
          <Brands brands={data} asked={asked} onAsk={setAsked} picked={picked} onPick={setPicked} />
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

interface BrandsProps extends Picking {
  brands: readonly MachineBrand[]
  asked: string | null
  onAsk: (brand: string | null) => void
}

interface Picking {
  picked: SliceMachine | null
  onPick: (machine: SliceMachine | null) => void
}

/** One brand's models at a time; the one that has what is picked, unless another is asked for. */
function Brands({ brands, asked, onAsk, picked, onPick }: BrandsProps) {
  const { t } = useTranslation('slicing')
  const [opened, setOpened] = useState<number | null>(null)
  const modelOf = ({ machine_models: models }: MachineBrand) =>
    models.find(({ machines }) => machines.some(({ id }) => id === picked?.id))
  const own = brands.find((one) => modelOf(one) !== undefined)
  const brand = brands.find((one) => one.brand === asked) ?? own ?? brands[0]
  if (brand === undefined) return null
  const expanded = opened ?? modelOf(brand)?.id
  return (
    <Tabs orientation="vertical" value={brand.brand} onChange={onAsk} mt={12}>
      <Tabs.List aria-label={t('brand')} className={styles.brandList}>
        {brands.map((one) => (
          <Tabs.Tab key={one.brand} value={one.brand}>
            {one.brand}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={brand.brand}>
        <ul className={rows.rows} data-tall>
          {brand.machine_models.map((model) => (
            <ModelCard
              key={model.id}
              model={model}
              isOpen={model.id === expanded}
              onOpen={() => setOpened(model.id === expanded ? 0 : model.id)}
              picked={picked}
              onPick={onPick}
            />
          ))}
        </ul>
      </Tabs.Panel>
    </Tabs>
  )
}

/** Printers of one's own first, each as the machine that it seems to be. */
function OwnMachines({ picked, onPick }: Picking) {
  const { t } = useTranslation('slicing')
  const { data = [] } = useQuery(ownMachinesQuery)
  if (data.length === 0) return null
  return (
    <ul className={rows.rows} data-tall aria-label={t('myPrinters')}>
      {data.map(({ printer, machine }) => (
        <li key={printer.id}>
          <button
            type="button"
            className={rows.row}
            data-ends
            aria-pressed={picked?.id === machine.id}
            onClick={() => onPick(machine)}
          >
            <bdi>{printer.name}</bdi>
            <span className={shared.soft}>{machine.name}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface ModelCardProps extends Picking {
  model: MachineBrand['machine_models'][number]
  isOpen: boolean
  onOpen: () => void
}

/** A model of printers with its picture; opened, its nozzles. */
const ModelCard = ({ model, isOpen, onOpen, picked, onPick }: ModelCardProps) => (
  <li className={styles.machine}>
    <button type="button" className={rows.row} aria-expanded={isOpen} onClick={onOpen}>
      {model.cover_img_url && (
        <img src={serverUrl(model.cover_img_url)} alt="" width={36} height={50} loading="lazy" />
      )}
      <bdi>{model.name}</bdi>
    </button>
    {isOpen && (
      <div className={styles.nozzles}>
        {model.machines.map((machine) => (
          <Switch
            key={machine.id}
            label={nozzleOf(machine, model.machines)}
            checked={picked?.id === machine.id}
            onChange={(event) => onPick(event.currentTarget.checked ? machine : null)}
          />
        ))}
      </div>
    )}
  </li>
)

/** Its nozzle, or its name where others have the same. */
function nozzleOf(machine: SliceMachine, all: readonly SliceMachine[]): string {
  const nozzle = machine.nozzle_diameter[0] ?? ''
  const isAlone = all.filter((one) => one.nozzle_diameter[0] === nozzle).length === 1
  return isAlone ? `${nozzle} mm` : machine.name
}
