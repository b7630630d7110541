import { Alert, Anchor, Box, NumberInput, Select, Skeleton, Switch } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useId, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useQueryValues } from '../../../lib/address.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { driverOf } from '../../../printer/driver/driver-of.ts'
import { ownPrintersQuery, printersQuery } from '../../../printer/printers.api.ts'
import { DEBOUNCE_MS, type Field, useRefusal, useSaved } from '../../../printer/useField.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Guide, Step } from '../../../ui/Guide.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { describedByRow, SettingRow } from '../../../ui/SettingRow.tsx'
import { CameraSettings } from './CameraSettings.tsx'
import { extQuery, type Ext, saveExt } from './first-layer.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Nozzle.module.css'

const FIELDS: readonly {
  field: NumberField
  text: 'zhop' | 'retract' | 'speed' | 'cooldown'
  least: number
  most: number
  step: number
  unit: string
}[] = [
  { field: 'first_layer_scan_zhop', text: 'zhop', least: 0, most: 50, step: 0.1, unit: ' mm' },
  { field: 'first_layer_scan_retract', text: 'retract', least: 0, most: 50, step: 0.5, unit: ' mm' },
  { field: 'first_layer_scan_retract_speed', text: 'speed', least: 1, most: 100, step: 1, unit: ' mm/s' },
  { field: 'first_layer_scan_cooldown_temp', text: 'cooldown', least: 0, most: 300, step: 5, unit: ' °C' },
]

/** How the printer moves over its finished first layer for the camera to see all of it. */
function ScanSettings({ ext }: { ext: Ext }) {
  const { t } = useTranslation('first-layer')
  const optIn = useExtField(ext, 'first_layer_scan_opted_in')
  return (
    <Panel title={t('scan')}>
      <Box component="p" mb={14}>
        {t('scanHint')}
      </Box>
      <SettingRow label={t('optIn')} hint={t('optInHint')} state={optIn.state}>
        {(ids) => (
          <Switch
            {...ids}
            checked={optIn.value}
            onChange={(event) => optIn.set(event.currentTarget.checked)}
          />
        )}
      </SettingRow>
      {optIn.value && FIELDS.map((one) => <NumberRow key={one.field} ext={ext} {...one} />)}
    </Panel>
  )
}

function NumberRow({ ext, field, text, least, most, step, unit }: (typeof FIELDS)[number] & { ext: Ext }) {
  const { t } = useTranslation('first-layer')
  const { value, state, set, flush } = useExtField(ext, field)
  return (
    <SettingRow label={t(text)} hint={t(`${text}Hint`)} state={state}>
      {(ids) => (
        <NumberInput
          {...ids}
          {...describedByRow}
          w={130}
          aria-invalid={state.phase === 'failed'}
          value={value}
          min={least}
          max={most}
          step={step}
          decimalScale={2}
          suffix={unit}
          clampBehavior="strict"
          onChange={(next) => {
            if (typeof next === 'number' && next >= least && next <= most) set(next)
          }}
          onBlur={flush}
        />
      )}
    </SettingRow>
  )
}

type NumberField = Exclude<Extract<keyof Ext, `first_layer_scan_${string}`>, 'first_layer_scan_opted_in'>

/** One setting of the scan that saves itself, alone: numbers a second after they were typed, a switch at once. */
function useExtField<K extends NumberField | 'first_layer_scan_opted_in'>(ext: Ext, key: K): Field<Ext[K]> {
  const { t } = useTranslation('first-layer')
  const client = useQueryClient()
  const refusalOf = useRefusal()
  const isTyped = typeof ext[key] === 'number'

  async function put(value: Ext[K]) {
    try {
      client.setQueryData(extQuery(ext.printer).queryKey, await saveExt(ext.printer, { [key]: value }))
      return null
    } catch (error) {
      return refusalOf(problemOf(error), key, t('fieldFailed'))
    }
  }
  return useSaved({
    held: ext[key],
    delayMs: isTyped ? DEBOUNCE_MS : 0,
    // A switch shows what holds; what was typed stays, to be mended.
    keeps: () => isTyped,
    put,
    tooSlow: () => t('fieldFailed'),
  })
}

/** The nozzle camera of a printer, chosen among all: its address, its test, and how its first layer is scanned. */
export default function NozzleScreen() {
  const { t } = useTranslation('first-layer')
  const message = useMessages()
  const { data: printers, error, refetch } = useQuery(ownPrintersQuery)
  useTitle(t('title'))
  if (error && !printers)
    return (
      <NotLoaded
        title={message('printerFetchFailed')}
        problem={problemOf(error)}
        onRetry={() => void refetch()}
      />
    )
  const own = printers?.filter(({ archived_at }) => archived_at === null)
  return (
    <div className={shared.broad} aria-busy={!own}>
      <PageHeader title={t('title')} />
      {!own && <Skeleton height={120} />}
      {own?.length === 0 && <Notice title={t('noPrinters')} />}
      {own && own.length > 0 && <Chosen printers={own} />}
    </div>
  )
}

function Chosen({ printers }: { printers: Printer[] }) {
  const client = useQueryClient()
  const { printer_id: asked } = useQueryValues()
  const [id, setId] = useState<string | null>(asked ?? null)
  const [note, setNote] = useState<string | null>(null)
  const printer = printers.find((one) => String(one.id) === id)
  return (
    <div className={shared.halves}>
      <div className={shared.half}>
        <WhichPrinter
          printers={printers}
          printer={printer}
          note={note}
          onChoose={(one) => {
            setId(one)
            setNote(null)
          }}
        />
        {printer && (
          <Camera
            key={printer.id}
            printer={printer}
            onSaved={(words) => {
              // As the page was before: what is set up next is chosen anew.
              setId(null)
              setNote(words)
              void client.invalidateQueries({ queryKey: printersQuery.queryKey })
            }}
          />
        )}
      </div>
      <div className={shared.half}>
        <Guides printer={printer} />
        {printer && isKlipper(printer) && <Scan key={printer.id} printer={printer} />}
      </div>
    </div>
  )
}

interface WhichPrinterProps {
  printers: Printer[]
  printer: Printer | undefined
  /** What was just saved. */
  note: string | null
  onChoose: (id: string | null) => void
}

function WhichPrinter({ printers, printer, note, onChoose }: WhichPrinterProps) {
  const { t } = useTranslation('first-layer')
  const label = useId()
  return (
    <Panel>
      <Box component="p" mb={14}>
        {t('intro')}
      </Box>
      <Box maw={360}>
        <Select
          id={label}
          label={t('printer')}
          placeholder={t('choose')}
          value={printer ? String(printer.id) : null}
          onChange={onChoose}
          data={printers.map((one) => ({ value: String(one.id), label: one.name }))}
        />
      </Box>
      {note && <Saved words={note} />}
      {!printer && (
        <Box component="p" mt={8} fz={13} c="dimmed">
          {t('update')}
        </Box>
      )}
    </Panel>
  )
}

const isKlipper = (printer: Printer) => driverOf(printer).kind === 'klipper'
const STEPS = ['mount', 'address', 'scan'] as const

/** How it is set up, and where more of that stands: for a printer, once one is chosen. */
function Guides({ printer }: { printer: Printer | undefined }) {
  const { t } = useTranslation('first-layer')
  return (
    <Panel title={t('how.title')}>
      <Guide>
        {STEPS.map((step) => (
          <Step key={step} what={t(`how.${step}`)} how={t(`how.${step}How`)} />
        ))}
      </Guide>
      <p className={styles.guides}>
        {printer && (
          <span>
            {t('system')}: <b>{isKlipper(printer) ? 'Klipper' : 'OctoPrint'}</b>
          </span>
        )}
        <Anchor component={Link} to={paths.help} hash="nozzle">
          {t('guide')}
        </Anchor>
        {printer && isKlipper(printer) && (
          <Anchor component={Link} to={paths.help} hash="slicer">
            {t('slicerGuide')}
          </Anchor>
        )}
      </p>
    </Panel>
  )
}

/** Where its picture comes from, once what is set up is known. */
function Camera({ printer, onSaved }: { printer: Printer; onSaved: (words: string) => void }) {
  const { t } = useTranslation('first-layer')
  const { data: ext, error, refetch } = useQuery(extQuery(printer.id))
  if (error)
    return <Failed title={t('settingsFailed')} problem={problemOf(error)} onRetry={() => void refetch()} />
  if (ext) return <CameraSettings printer={printer} ext={ext} onSaved={onSaved} />
  return (
    <Panel title={t('camera')}>
      <Skeleton height={180} />
    </Panel>
  )
}

/** The scan, once what is set up is known; that it could not be read is said beside the camera. */
function Scan({ printer }: { printer: Printer }) {
  const { data: ext } = useQuery(extQuery(printer.id))
  return ext && <ScanSettings ext={ext} />
}

function Saved({ words }: { words: string }) {
  return (
    <Alert color="good" icon={<IconCheck size={18} stroke={1.75} />} mt="md" role="status">
      {words}
    </Alert>
  )
}
