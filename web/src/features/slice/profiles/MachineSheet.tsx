import { Button, Flex, Switch, Tabs, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { OwnMachine } from '@vigil/contract/slice/presets.ts'
import type { MachineBrand, SliceMachine } from '@vigil/contract/slice/slicer.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverUrl } from '../../../lib/base.ts'
import { problemOf } from '../../../lib/errors.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { ownMachinesQuery } from './presets.api.ts'
import { machinesQuery } from './profiles.api.ts'
import { hasWords } from '../../../lib/words.ts'
import rows from '../../../ui/Rows.module.css'
import shared from '../../../ui/shared.module.css'
import styles from './Profiles.module.css'

interface MachineSheetProps {
  current: SliceMachine | null
  onConfirm: (machine: SliceMachine) => void
  onClose: () => void
}

/** Printers by their makers, or by the words that are typed; each with its nozzles, of which one is confirmed. */
export function MachineSheet({ current, onConfirm, onClose }: MachineSheetProps) {
  const { t } = useTranslation('slicing')
  const { data, error, refetch } = useQuery(machinesQuery)
  const [picked, setPicked] = useState<SliceMachine | null>(current)
  return (
    <Dialog onClose={onClose} title={t('selectPrinter')} size="lg">
      {!data && error && (
        <Failed title={t('failedProfiles')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {!(error && !data) && <Machines brands={data ?? []} picked={picked} onPick={setPicked} />}
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

interface Picking {
  picked: SliceMachine | null
  onPick: (machine: SliceMachine | null) => void
}

/** The search, one's own printers, and below these what is found, or all of the brands. */
function Machines({ brands, picked, onPick }: Picking & { brands: readonly MachineBrand[] }) {
  const { t } = useTranslation('slicing')
  const [asked, setAsked] = useState<string | null>(null)
  const [words, setWords] = useState('')
  const { data = [] } = useQuery(ownMachinesQuery)
  const own = data.filter(({ printer, machine }) => hasWords(`${printer.name} ${machine.name}`, words))
  const pickOwn = (machine: SliceMachine | null) => {
    onPick(machine)
    setAsked(null)
  }
  return (
    <>
      <TextInput
        type="search"
        data-autofocus
        aria-label={t('findPrinter')}
        placeholder={t('findPrinter')}
        value={words}
        maxLength={100}
        leftSection={<IconSearch size={17} stroke={1.75} aria-hidden />}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <OwnMachines own={own} picked={picked} onPick={pickOwn} />
      {brands.length === 0 ? (
        <p role="status">{t('loadingFilaments')}</p>
      ) : words.trim() === '' ? (
        <Brands brands={brands} asked={asked} onAsk={setAsked} picked={picked} onPick={onPick} />
      ) : (
        <Found brands={brands} words={words} isAlone={own.length === 0} picked={picked} onPick={onPick} />
      )}
    </>
  )
}

/** More are not looked through: whoever has so many types on. */
const MOST_FOUND = 40

interface FoundProps extends Picking {
  brands: readonly MachineBrand[]
  words: string
  /** None of one's own is found. */
  isAlone: boolean
}

/** The models of all brands that have the words that were typed. */
function Found({ brands, words, isAlone, picked, onPick }: FoundProps) {
  const { t } = useTranslation('slicing')
  const [opened, setOpened] = useState<number | null>(null)
  const found = brands.flatMap(({ brand, machine_models: models }) =>
    models.filter(({ name }) => hasWords(`${brand} ${name}`, words)).map((model) => ({ brand, model })),
  )
  if (found.length === 0) return isAlone ? <p role="status">{t('noneFound')}</p> : null
  return (
    <>
      <ul className={rows.rows} data-tall aria-label={t('found')}>
        {found.slice(0, MOST_FOUND).map(({ brand, model }) => (
          <ModelCard
            key={model.id}
            model={model}
            brand={brand}
            isOpen={model.id === opened || found.length === 1}
            onOpen={() => setOpened(model.id === opened ? null : model.id)}
            picked={picked}
            onPick={onPick}
          />
        ))}
      </ul>
      {found.length > MOST_FOUND && (
        <p className={shared.small}>{t('moreFound', { count: found.length - MOST_FOUND })}</p>
      )}
    </>
  )
}

interface BrandsProps extends Picking {
  brands: readonly MachineBrand[]
  asked: string | null
  onAsk: (brand: string | null) => void
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
function OwnMachines({ own, picked, onPick }: Picking & { own: readonly OwnMachine[] }) {
  const { t } = useTranslation('slicing')
  if (own.length === 0) return null
  return (
    <ul className={rows.rows} data-few aria-label={t('myPrinters')}>
      {own.map(({ printer, machine }) => (
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
  /** Whose it is, where that is not said around it. */
  brand?: string
  isOpen: boolean
  onOpen: () => void
}

/** Whether the name says the brand: most do. */
const isIn = (brand: string, name: string) => name.toLowerCase().startsWith(brand.toLowerCase())

/** A model of printers with its picture; opened, its nozzles. */
const ModelCard = ({ model, brand, isOpen, onOpen, picked, onPick }: ModelCardProps) => (
  <li className={styles.machine}>
    <button type="button" className={rows.row} aria-expanded={isOpen} onClick={onOpen}>
      {model.cover_img_url && (
        <img src={serverUrl(model.cover_img_url)} alt="" width={24} height={34} loading="lazy" />
      )}
      <bdi>{model.name}</bdi>
      {brand && !isIn(brand, model.name) && <span className={shared.small}>{brand}</span>}
    </button>
    {isOpen && (
      <Flex align="center" wrap="wrap" gap="8px 16px" p="4px 8px 10px">
        {model.machines.map((machine) => (
          <Switch
            key={machine.id}
            label={nozzleOf(machine, model.machines)}
            checked={picked?.id === machine.id}
            onChange={(event) => onPick(event.currentTarget.checked ? machine : null)}
          />
        ))}
      </Flex>
    )}
  </li>
)

/** Its nozzle, or its name where others have the same. */
function nozzleOf(machine: SliceMachine, all: readonly SliceMachine[]): string {
  const nozzle = machine.nozzle_diameter[0] ?? ''
  const isAlone = all.filter((one) => one.nozzle_diameter[0] === nozzle).length === 1
  return isAlone ? `${nozzle} mm` : machine.name
}
