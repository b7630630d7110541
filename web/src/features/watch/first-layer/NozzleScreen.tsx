import { Alert, Anchor, Select, Skeleton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useQueryValues } from '../../../lib/address.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { driverOf } from '../../../printer/driver/driver-of.ts'
import { printersQuery } from '../../../printer/printers.api.ts'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { CameraSettings } from './CameraSettings.tsx'
import styles from './Nozzle.module.css'
import { extQuery } from './first-layer.api.ts'
import { ScanSettings } from './ScanSettings.tsx'

/** The nozzle camera of a printer, chosen among all: its address, its test, and how its first layer is scanned. */
export default function NozzleScreen() {
  const { t } = useTranslation('first-layer')
  const message = useMessages()
  const { data: printers, error, refetch } = useQuery(printersQuery)
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
    <div className={styles.page} aria-busy={!own}>
      <PageHeader title={t('title')} />
      {!own && <Skeleton height={120} />}
      {own?.length === 0 && <Notice title={t('noPrinters')} />}
      {own && own.length > 0 && <Chosen printers={own} />}
    </div>
  )
}

function Chosen({ printers }: { printers: Printer[] }) {
  const { t } = useTranslation('first-layer')
  const client = useQueryClient()
  const { printer_id: asked } = useQueryValues()
  const [id, setId] = useState<string | null>(asked ?? null)
  const [note, setNote] = useState<string | null>(null)
  const label = useId()
  const printer = printers.find((one) => String(one.id) === id)
  return (
    <>
      <Panel>
        <p className={styles.intro}>{t('intro')}</p>
        <div className={styles.choice}>
          <Select
            id={label}
            label={t('printer')}
            placeholder={t('choose')}
            value={printer ? id : null}
            onChange={(value) => {
              setId(value)
              setNote(null)
            }}
            data={printers.map((one) => ({ value: String(one.id), label: one.name }))}
          />
        </div>
        {note && (
          <Alert color="good" icon={<IconCheck size={18} stroke={1.75} />} mt="md" role="status">
            {note}
          </Alert>
        )}
        {!printer && <p className={styles.soft}>{t('update')}</p>}
      </Panel>
      {printer && (
        <Settings
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
    </>
  )
}

function Settings({ printer, onSaved }: { printer: Printer; onSaved: (words: string) => void }) {
  const { t } = useTranslation('first-layer')
  const { data: ext, error, refetch } = useQuery(extQuery(printer.id))
  const isKlipper = driverOf(printer).kind === 'klipper'
  if (error)
    return <Failed title={t('settingsFailed')} problem={problemOf(error)} onRetry={() => void refetch()} />
  if (!ext)
    return (
      <Panel title={t('camera')}>
        <Skeleton height={180} />
      </Panel>
    )
  return (
    <>
      <Panel>
        <p className={styles.guides}>
          <span>
            {t('system')}: <b>{isKlipper ? 'Klipper' : 'OctoPrint'}</b>
          </span>
          <Anchor component={Link} to={paths.help} hash="nozzle">
            {t('guide')}
          </Anchor>
          {isKlipper && (
            <Anchor component={Link} to={paths.help} hash="slicer">
              {t('slicerGuide')}
            </Anchor>
          )}
        </p>
      </Panel>
      <CameraSettings printer={printer} ext={ext} onSaved={onSaved} />
      {isKlipper && <ScanSettings ext={ext} />}
    </>
  )
}
