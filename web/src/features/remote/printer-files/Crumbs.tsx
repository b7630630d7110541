import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import styles from './PrinterFiles.module.css'

interface CrumbsProps {
  printer: Printer
  folder: string
  /** Opens another one; without it they are links. */
  onOpen?: (path: string) => void
}

/** The way from the root to a folder on a printer. */
export function Crumbs({ printer, folder, onOpen }: CrumbsProps) {
  const { t } = useTranslation('printer-files')
  const names = folder === '' ? [] : folder.split('/')
  const steps = [{ name: t('root'), path: '' }]
  for (const name of names) steps.push({ name, path: names.slice(0, steps.length).join('/') })
  return (
    <nav aria-label={t('crumbs')} className={styles.crumbs}>
      {steps.map(({ name, path }, at) => (
        <Fragment key={path}>
          {at > 0 && <IconChevronRight size={15} stroke={1.75} aria-hidden />}
          {at === steps.length - 1 ? (
            <strong aria-current="page">
              <bdi>{name}</bdi>
            </strong>
          ) : onOpen ? (
            <button type="button" onClick={() => onOpen(path)}>
              <bdi>{name}</bdi>
            </button>
          ) : (
            <Link to={paths.printerFolder(printer.id, path)}>
              <bdi>{name}</bdi>
            </Link>
          )}
        </Fragment>
      ))}
    </nav>
  )
}
