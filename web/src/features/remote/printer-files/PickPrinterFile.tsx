import { Button, Skeleton, TextInput } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { paths } from '../../../lib/paths.ts'
import { useLater } from '../../../lib/useLater.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { PickList } from '../../../ui/PickList.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import { Crumbs } from './Crumbs.tsx'
import { inOrder } from './entries.ts'
import styles from './PrinterFiles.module.css'
import { usePrinterFolder } from './printer-files.api.ts'
import { usePrintEntry } from './usePrintEntry.ts'
import { useWhyNotBrowse } from '../../../printer/useWhyNotBrowse.ts'

/** So long after the last key the printer is asked. */
const PENDING_MS = 1000

interface PickPrinterFileProps {
  printer: Printer
  /** The printer took it. */
  onSent: () => void
}

/** Has one of the files on a printer chosen and printed; says why, where they can't be read. */
export function PickPrinterFile(props: PickPrinterFileProps) {
  const message = useMessages()
  const reasons = useWhyNotBrowse()(props.printer)
  if (reasons.length === 0) return <Files {...props} />
  return (
    <Notice title={message('unableToBrowse')}>
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </Notice>
  )
}

function Files({ printer, onSent }: PickPrinterFileProps) {
  const { t } = useTranslation('printer-files')
  const bytes = useBytes()
  const [folder, setFolder] = useState('')
  const [typed, setTyped] = useState('')
  const q = useLater(typed.trim(), PENDING_MS)
  const { entries, error, refetch, looksEverywhere } = usePrinterFolder(printer, folder, q)
  const { print, busy } = usePrintEntry(printer)
  const open = (path: string) => {
    setTyped('')
    setFolder(path)
  }
  const items = inOrder(entries ?? [], { by: 'created_at', direction: 'desc' }).map((entry) => ({
    ...entry,
    key: entry.path,
    disabled: busy,
    note: entry.size === null ? '' : bytes(entry.size),
  }))
  return (
    <div className={styles.pick}>
      <Search label={t(looksEverywhere ? 'search' : 'searchHere')} typed={typed} onType={setTyped} />
      <Crumbs printer={printer} folder={folder} onOpen={open} />
      {error ? (
        <Failed
          title={t('failed')}
          problem={{ kind: 'server', status: 0, detail: error.message }}
          onRetry={() => void refetch()}
        />
      ) : entries === undefined ? (
        <Skeleton height={180} aria-busy="true" />
      ) : (
        <PickList
          label={t('title', { name: printer.name })}
          items={items}
          none={t(q === '' ? 'empty' : 'nothingFound')}
          onPick={(entry) => {
            if (entry.kind === 'folder') open(entry.path)
            else void print(entry).then((taken) => taken && onSent())
          }}
        />
      )}
      <Button
        variant="subtle"
        renderRoot={(props) => <Link {...props} to={paths.printerFolder(printer.id, folder)} />}
      >
        {t('pick.page')}
      </Button>
    </div>
  )
}

interface SearchProps {
  label: string
  typed: string
  onType: (text: string) => void
}

function Search({ label, typed, onType }: SearchProps) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={typed}
      leftSection={<IconSearch size={17} stroke={1.75} aria-hidden />}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  )
}
