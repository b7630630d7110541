import { Box, Button, Skeleton } from '@mantine/core'
import { IconPrinter, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { StoredFile } from '@vigil/contract/files/gcode-files.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { dateAndTime, ms } from '../../../lib/format.ts'
import { detailsOf } from '../../../lib/gcode-details.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { toast } from '../../../lib/toast.ts'
import type { PrinterEntry } from '../../../printer/driver/driver.ts'
import { readStatus } from '../../../printer/status.ts'
import { Columns } from '../../../ui/Columns.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Failed, Notice, useProblemText } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import { useDetailText } from '../../../ui/useDetailText.ts'
import { baseOf, folderOf } from './entries.ts'
import { deleteFile, matchesQuery, usePrinterFile } from './printer-files.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './PrinterFiles.module.css'
import { usePrintEntry } from './usePrintEntry.ts'
import { PrinterPlace } from './PrinterPlace.tsx'

/** One file on a printer: what its agent tells of it, what of the cloud it is, what was printed of it. */
export function PrinterFilePage({ printer, path }: { printer: Printer; path: string }) {
  const { t } = useTranslation('printer-files')
  const { entry, error, refetch } = usePrinterFile(printer, path)
  const signature = entry?.signature ?? ''
  const { data: matches = [] } = useQuery({
    ...matchesQuery(printer.id, baseOf(path), signature),
    enabled: signature !== '',
  })
  const name = entry?.name ?? baseOf(path)
  useTitle(name)
  const cloud = matches.find(({ resident_printer }) => resident_printer === null)
  if (error)
    return (
      <Failed
        whole
        title={t('failed')}
        problem={{ kind: 'server', status: 0, detail: error.message }}
        onRetry={() => void refetch()}
      />
    )
  const folder = paths.printerFolder(printer.id, folderOf(path))
  if (entry === null) return <Gone folder={folder} />
  return (
    <>
      <PageHeader
        back={{ to: folder, label: t('back') }}
        title={<bdi>{name}</bdi>}
        note={<bdi>{t('on', { name: printer.name })}</bdi>}
        actions={entry && <FileButtons printer={printer} entry={entry} />}
      />
      {entry === undefined ? (
        <Skeleton height={260} aria-busy="true" />
      ) : (
        <Columns>
          <WhatIsKnown printer={printer} entry={entry} cloud={cloud} />
          <History matches={matches} cloud={cloud} isKnown={signature !== ''} />
        </Columns>
      )}
    </>
  )
}

interface KnownProps {
  printer: Printer
  entry: PrinterEntry
  cloud: StoredFile | undefined
}

function WhatIsKnown({ printer, entry, cloud }: KnownProps) {
  const { t, i18n } = useTranslation('printer-files')
  const message = useMessages()
  const bytes = useBytes()
  const { label, value } = useDetailText()
  const { why } = usePrintEntry(printer)
  const details = detailsOf({
    ...entry.facts,
    metadata_json: JSON.stringify(known({ ...entry.facts })),
  })
  const rows: [string, string | null][] = [
    [t('size'), entry.size === null ? null : bytes(entry.size)],
    [t('changed'), entry.modifiedAt === null ? null : dateAndTime(i18n.language, entry.modifiedAt)],
    ...details.map((detail): [string, string] => [label(detail), value(detail)]),
  ]
  return (
    <Panel title={t('facts')}>
      {cloud?.thumbnail1_url && (
        <div className={styles.picture}>
          <img src={cloud.thumbnail1_url} alt={t('picture')} />
        </div>
      )}
      <Facts rows={rows} />
      {why !== null && (
        <Box component="p" mt={14} c="dimmed" fz={13}>
          {t('notNow', { why: message(why) })}
        </Box>
      )}
    </Panel>
  )
}

/** Without what is not told. */
const known = (facts: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null))

interface HistoryProps {
  matches: readonly StoredFile[]
  cloud: StoredFile | undefined
  /** Its agent tells by what it is known again. */
  isKnown: boolean
}

/** The cloud's file that this is a copy of, and what was printed of it. */
function History({ matches, cloud, isKnown }: HistoryProps) {
  const { t } = useTranslation('printer-files')
  const { moment } = useTimeText()
  const prints = matches
    .flatMap(({ print_set }) => print_set)
    .toSorted((a, b) => (ms(b.started_at) ?? 0) - (ms(a.started_at) ?? 0))
  return (
    <Panel title={t('history')} aside={t('prints', { count: prints.length })}>
      {cloud ? (
        <p>
          {t('copyOf')}{' '}
          <Link to={paths.file(cloud.id)}>
            <bdi>{cloud.filename}</bdi>
          </Link>
        </p>
      ) : (
        <p className={shared.small}>{t(isKnown ? 'notInCloud' : 'notKnown')}</p>
      )}
      <ul className={styles.prints}>
        {prints.map((print) => (
          <li key={print.id}>
            <Link to={paths.print(print.id)}>{moment(ms(print.started_at) ?? 0)}</Link>
            <span>{t(print.cancelled_at ? 'cancelled' : print.finished_at ? 'finished' : 'underWay')}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Prints a file where it lies on the printer, or deletes it. */
function FileButtons({ printer, entry }: { printer: Printer; entry: PrinterEntry }) {
  const { t } = useTranslation('printer-files')
  const message = useMessages()
  const navigate = useNavigate()
  const { print, busy, why } = usePrintEntry(printer)
  async function printIt() {
    if (await print(entry)) await navigate({ to: paths.control(printer.id) })
  }
  return (
    <>
      <Button
        variant="filled"
        leftSection={<IconPrinter size={17} stroke={1.75} />}
        loading={busy}
        disabled={why !== null}
        title={why === null ? undefined : message(why)}
        onClick={() => void printIt()}
      >
        {t('print')}
      </Button>
      <DeleteButton printer={printer} entry={entry} />
    </>
  )
}

function DeleteButton({ printer, entry }: { printer: Printer; entry: PrinterEntry }) {
  const { t } = useTranslation('printer-files')
  const text = useProblemText()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const isLoaded = printer.current_print !== null && readStatus(printer)?.file['path'] === entry.path
  async function remove() {
    const sure = await confirm({
      title: t('delete.title'),
      text: t('delete.text', { file: entry.name, name: printer.name }),
      action: t('delete.action'),
      tone: 'bad',
    })
    if (!sure) return
    setBusy(true)
    try {
      await deleteFile(client, printer.id, entry.path)
      toast(t('delete.done', { file: entry.name }), 'done')
      await navigate({ to: paths.printerFolder(printer.id, folderOf(entry.path)), replace: true })
    } catch (error) {
      toast(text(problemOf(error)), 'failed', t('delete.failed'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      color="bad"
      variant="outline"
      leftSection={<IconTrash size={17} stroke={1.75} />}
      loading={busy}
      disabled={isLoaded}
      title={isLoaded ? t('delete.inUse') : undefined}
      onClick={() => void remove()}
    >
      {t('delete.action')}
    </Button>
  )
}

function Gone({ folder }: { folder: string }) {
  const { t } = useTranslation('printer-files')
  const message = useMessages()
  return (
    <Notice
      whole
      title={message('fileMissing')}
      actions={<Button renderRoot={(props) => <Link {...props} to={folder} />}>{t('back')}</Button>}
    />
  )
}

/** One file that lies on a printer. */
export function PrinterFileScreen() {
  return (
    <PrinterPlace ofFile>
      {(printer, path) => <PrinterFilePage key={`${printer.id} ${path}`} printer={printer} path={path} />}
    </PrinterPlace>
  )
}
