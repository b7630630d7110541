import { ActionIcon, Skeleton } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { StoredFile } from '@vigil/contract/files/gcode-files.ts'
import { useEffect } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { PrintFile } from '../../../printer/cloudprint/PrintFile.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { FitsPanel } from '../machines/index.ts'
import { AddToQueue } from '../queue/index.ts'
import { FileFacts, FileGcode, FilePrints } from './FilePage.tsx'
import styles from './FileSheet.module.css'
import { fileQuery } from './gcode-files.api.ts'

interface FileSheetProps {
  id: number
  onClose: () => void
}

/** A file beside the list it stands in: what one chooses by, and what one does with it. Its name leads to its page. */
export function FileSheet({ id, onClose }: FileSheetProps) {
  const { t } = useTranslation(['gcode-files', 'common'])
  const { data: file, error, refetch } = useQuery(fileQuery(id))
  useEscape(onClose)
  return (
    <aside className={styles.sheet} aria-label={file?.filename ?? t('file.facts')}>
      <header className={styles.head}>
        <h2>{file && <Link to={paths.file(id)}>{file.filename}</Link>}</h2>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('common:close')} onClick={onClose}>
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      </header>
      <div className={styles.body}>
        {!file && !error && <Skeleton height={420} />}
        {!file && error && (
          <Failed title={t('file.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
        )}
        {file && (
          <>
            <FileGcode file={file} />
            <FileFacts file={file} />
            <FitsPanel fileId={id} />
            <FilePrints file={file} />
          </>
        )}
      </div>
      {file && <Foot file={file} />}
    </aside>
  )
}

/** What is done with it. */
function Foot({ file }: { file: StoredFile }) {
  const { t } = useTranslation('gcode-files')
  return (
    <footer className={styles.foot}>
      <PrintFile file={file} />
      <AddToQueue file={file} />
      {file.url && (
        <ActionIcon
          component="a"
          href={file.url}
          download={file.safe_filename}
          size="lg"
          variant="default"
          aria-label={t('actions.download')}
          title={t('actions.download')}
        >
          <IconDownload size={18} stroke={1.75} />
        </ActionIcon>
      )}
    </footer>
  )
}

/** Escape closes it, but for what is open above it. */
function useEscape(onClose: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.querySelector('[role="dialog"], [role="menu"]')) onClose()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [onClose])
}
