import { Button, FileButton, Loader, TextInput } from '@mantine/core'
import type { StoredFile } from '@vigil/contract/files/gcode-files.ts'
import { IconSearch, IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useLater } from '../../../lib/useLater.ts'
import { Failed } from '../../../ui/Notice.tsx'
import { PickList } from '../../../ui/PickList.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import { Crumbs } from './Crumbs.tsx'
import styles from './Dialogs.module.css'
import { ACCEPT, PENDING_MS } from './items.ts'
import { UploadTray } from './UploadTray.tsx'
import { useListing, useSorting } from './useListing.ts'
import { useUpload } from './uploads.ts'

interface PickCloudFileProps {
  /** The folder that is looked into; null is the root. */
  folder: number | null
  onOpen: (folder: number | null) => void
  /** One was chosen, or the only one that was uploaded here lies there. */
  onPick: (file: Pick<StoredFile, 'id' | 'filename'>) => void
}

/** Has a file of the cloud store chosen, or uploaded. */
export function PickCloudFile({ folder, onOpen, onPick }: PickCloudFileProps) {
  const { t } = useTranslation('gcode-files')
  const bytes = useBytes()
  const [typed, setTyped] = useState('')
  const q = useLater(typed.trim(), PENDING_MS)
  const { by, direction } = useSorting()
  const asked = useMemo(() => ({ folder, q, by, direction }), [folder, q, by, direction])
  const { items, isPending, isWhole, problem, retry, more, moreProblem, retryMore } = useListing(asked)
  const uploadOne = useUploadOne(onPick)
  const open = (id: number | null) => {
    setTyped('')
    onOpen(id)
  }
  return (
    <div className={styles.move}>
      <Tools typed={typed} onType={setTyped} onFiles={(files) => uploadOne(files, folder)} />
      <UploadTray />
      <Crumbs folder={folder} onOpen={open} />
      {problem ? (
        <Failed title={t('failed')} problem={problem} onRetry={retry} />
      ) : isPending ? (
        <Loader size={24} role="img" aria-label={t('loading')} />
      ) : (
        <PickList
          label={t('title')}
          items={items.map((item) => ({
            ...item,
            note: item.kind === 'file' && item.file.num_bytes !== null ? bytes(item.file.num_bytes) : '',
            // A record without content can't be printed.
            disabled: item.kind === 'file' && item.file.url === null,
          }))}
          none={t(q === '' ? 'empty' : 'nothingFound')}
          onPick={(item) => (item.kind === 'folder' ? open(item.id) : onPick(item.file))}
          onMore={isWhole ? null : moreProblem ? retryMore : more}
        />
      )}
      <Button
        variant="subtle"
        renderRoot={(props) => (
          <Link {...props} to={folder === null ? paths.folders : paths.folder(folder)} />
        )}
      >
        {t('pickPage')}
      </Button>
    </div>
  )
}

interface ToolsProps {
  typed: string
  onType: (text: string) => void
  onFiles: (files: File[]) => void
}

/** What is looked for, and a file from this device instead. */
function Tools({ typed, onType, onFiles }: ToolsProps) {
  const { t } = useTranslation('gcode-files')
  return (
    <div className={styles.pickTools}>
      <TextInput
        type="search"
        aria-label={t('search.label')}
        placeholder={t('search.label')}
        maxLength={200}
        value={typed}
        leftSection={<IconSearch size={17} stroke={1.75} aria-hidden />}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <FileButton multiple accept={ACCEPT} onChange={onFiles}>
        {(props) => (
          <Button leftSection={<IconUpload size={17} stroke={1.75} />} {...props}>
            {t('upload.button')}
          </Button>
        )}
      </FileButton>
    </div>
  )
}

/** Uploads; when it was exactly one, tells once it lies there, unless the dialog was left meanwhile. */
function useUploadOne(onPick: PickCloudFileProps['onPick']) {
  const latest = useRef<PickCloudFileProps['onPick'] | null>(onPick)
  const only = useRef<File | null>(null)
  useEffect(() => {
    latest.current = onPick
    return () => {
      latest.current = null
    }
  }, [onPick])
  const upload = useUpload((file) => {
    if (only.current?.name === file.filename) latest.current?.(file)
  })
  return (files: readonly File[], folder: number | null) => {
    only.current = files.length === 1 ? (files[0] ?? null) : null
    upload(files, folder)
  }
}
