import { Skeleton, TextInput } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconFileCode,
  IconFolder,
  IconFolderOpen,
  IconSearch,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useStoredChoice } from '../../../lib/stored.ts'
import { useTitle } from '../../../lib/title.ts'
import { useLater } from '../../../lib/useLater.ts'
import type { PrinterEntry } from '../../../printer/driver/driver.ts'
import { FilePlaces } from '../../../printer/FilePlaces.tsx'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import { VirtualLines } from '../../../ui/VirtualLines.tsx'
import { Crumbs } from './Crumbs.tsx'
import { DIRECTIONS, inOrder, SORTINGS } from './entries.ts'
import { usePrinterFolder } from './printer-files.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './PrinterFiles.module.css'
import { PrinterPlace } from './PrinterPlace.tsx'

/** So long after the last key the printer is asked. */
const PENDING_MS = 1000
const ROW_PX = 60

/** A folder on a printer, as its agent tells it: looked through, sorted here. */
export function PrinterFolder({ printer, folder }: { printer: Printer; folder: string }) {
  const { t } = useTranslation('printer-files')
  const [typed, setTyped] = useState('')
  const q = useLater(typed.trim(), PENDING_MS)
  const { entries, error, isFetching, refetch, looksEverywhere } = usePrinterFolder(printer, folder, q)
  const [by, setBy] = useStoredChoice('gcodesSorting-sorting', SORTINGS, 'created_at')
  const [direction, setDirection] = useStoredChoice('gcodesSorting-direction', DIRECTIONS, 'desc')
  useTitle(t('title', { name: printer.name }))
  const sort = (wanted: typeof by) => {
    if (wanted === by) setDirection(direction === 'asc' ? 'desc' : 'asc')
    else setBy(wanted)
  }
  const lines = inOrder(entries ?? [], { by, direction }).map((entry) => ({ ...entry, key: entry.path }))
  return (
    <>
      <PageHeader
        back={{ to: paths.control(printer.id), label: printer.name }}
        title={t('title', { name: printer.name })}
        note={entries && t('count', { count: entries.length })}
      />
      <FilePlaces here={printer.id} />
      <div className={shared.tools}>
        <Crumbs printer={printer} folder={folder} />
        <TextInput
          className={styles.search}
          type="search"
          aria-label={t(looksEverywhere ? 'search' : 'searchHere')}
          placeholder={t(looksEverywhere ? 'search' : 'searchHere')}
          maxLength={200}
          value={typed}
          leftSection={<IconSearch size={17} stroke={1.75} aria-hidden />}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      {error ? (
        <Failed
          title={t('failed')}
          problem={{ kind: 'server', status: 0, detail: error.message }}
          onRetry={() => void refetch()}
        />
      ) : entries === undefined ? (
        <Skeleton height={260} aria-busy="true" />
      ) : lines.length === 0 ? (
        <Notice
          picture={<IconFolderOpen size={40} stroke={1.25} />}
          title={t(q === '' ? 'empty' : 'nothingFound')}
        />
      ) : (
        <div aria-busy={isFetching || undefined}>
          <div className={styles.names} role="group" aria-label={t('sort')}>
            {SORTINGS.map((one) => (
              <button key={one} type="button" aria-pressed={one === by} onClick={() => sort(one)}>
                {t(`by.${one}`)}
                {one === by &&
                  (direction === 'asc' ? <IconArrowUp size={14} /> : <IconArrowDown size={14} />)}
              </button>
            ))}
          </div>
          <VirtualLines
            label={t('title', { name: printer.name })}
            lines={lines}
            heightOf={() => ROW_PX}
            onNearEnd={nothing}
            className={styles.line}
            render={(entry) => <EntryRow printer={printer} entry={entry} />}
          />
        </div>
      )}
    </>
  )
}

const nothing = () => undefined

/** A folder or a file on a printer, in one line. */
function EntryRow({ printer, entry }: { printer: Printer; entry: PrinterEntry }) {
  const bytes = useBytes()
  const { moment, duration } = useTimeText()
  const { kind, name, path, size, modifiedAt, facts } = entry
  const isFolder = kind === 'folder'
  return (
    <article className={styles.row}>
      {isFolder ? <IconFolder size={22} stroke={1.5} /> : <IconFileCode size={22} stroke={1.5} />}
      <Link to={isFolder ? paths.printerFolder(printer.id, path) : paths.printerFile(printer.id, path)}>
        <bdi>{name}</bdi>
      </Link>
      <span className={styles.time}>
        {facts.estimated_time === null ? '' : duration(facts.estimated_time)}
      </span>
      <span className={styles.date}>{modifiedAt === null ? '' : moment(modifiedAt)}</span>
      <span>{size === null ? '' : bytes(size)}</span>
    </article>
  )
}

/** The files that lie on a printer: one folder of them, or the root. */
export function PrinterFolderScreen() {
  return (
    <PrinterPlace>
      {(printer, path) => <PrinterFolder key={`${printer.id} ${path}`} printer={printer} folder={path} />}
    </PrinterPlace>
  )
}
