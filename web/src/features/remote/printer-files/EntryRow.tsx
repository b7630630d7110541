import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconFileCode, IconFolder } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { paths } from '../../../lib/paths.ts'
import type { PrinterEntry } from '../../../printer/driver/driver.ts'
import { useBytes } from '../../../ui/useBytes.ts'
import { useTimeText } from '../../../ui/time.tsx'
import styles from './PrinterFiles.module.css'

/** A folder or a file on a printer, in one line. */
export function EntryRow({ printer, entry }: { printer: Printer; entry: PrinterEntry }) {
  const bytes = useBytes()
  const { moment, durationByMetres } = useTimeText()
  const { kind, name, path, size, modifiedAt, facts } = entry
  const isFolder = kind === 'folder'
  return (
    <article className={styles.row}>
      {isFolder ? <IconFolder size={22} stroke={1.5} /> : <IconFileCode size={22} stroke={1.5} />}
      <Link to={isFolder ? paths.printerFolder(printer.id, path) : paths.printerFile(printer.id, path)}>
        <bdi>{name}</bdi>
      </Link>
      <span className={styles.time}>
        {facts.estimated_time === null ? '' : durationByMetres(facts.estimated_time)}
      </span>
      <span className={styles.date}>{modifiedAt === null ? '' : moment(modifiedAt)}</span>
      <span className={styles.size}>{size === null ? '' : bytes(size)}</span>
    </article>
  )
}
