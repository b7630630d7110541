import { IconFolderOpen, IconFileUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Bar } from '../../../ui/Bar.tsx'
import { useQueryValues } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import { usePageDrop } from './dropping.ts'
import styles from './Files.module.css'
import { FolderHead } from './FolderHead.tsx'
import { FolderItems } from './FolderItems.tsx'
import { folderPathQuery, storageQuery } from './gcode-files.api.ts'
import { Loading } from './Loading.tsx'
import { NoFolder } from './NoFolder.tsx'
import uploadStyles from './Uploads.module.css'
import { UploadTray } from './UploadTray.tsx'
import { useAsked } from './useAsked.ts'
import { useListing } from './useListing.ts'
import { useUpload } from './useUpload.ts'

/** A folder of the cloud store: where one is, what can be put there, and a list that goes on for as long as there is any. */
export function Folder({ id }: { id: number | null }) {
  const { t } = useTranslation('gcode-files')
  const asked = useAsked(id)
  const listing = useListing(asked)
  const { data: path, error } = useQuery({ ...folderPathQuery(id ?? 0), enabled: id !== null })
  const { q } = useQueryValues()
  const upload = useUpload()
  const isOver = usePageDrop((files) => upload(files, id))
  const name = id === null ? t('root') : (path?.at(-1)?.name ?? '')
  if (error && problemOf(error).kind === 'missing') return <NoFolder />
  const { problem, isPending, items, isWhole, retry } = listing
  if (problem) return <NotLoaded title={t('failed')} problem={problem} onRetry={retry} />
  const isEmpty = isWhole && items.length === 0
  return (
    <div className={styles.page}>
      <FolderHead id={id} name={path?.at(-1)?.name} counts={listing.counts} />
      <UploadTray />
      {isPending && <Loading />}
      {isEmpty && (
        <Notice picture={<IconFolderOpen size={40} stroke={1.25} />} title={t(q ? 'nothingFound' : 'empty')}>
          {!q && t('emptyText')}
        </Notice>
      )}
      {!isPending && !isEmpty && <FolderItems id={id} listing={listing} />}
      <DropNote name={name} />
      {isOver && (
        <div className={uploadStyles.over}>
          <p>{t('upload.drop', { folder: name })}</p>
        </div>
      )}
    </div>
  )
}

/** Where to drop files, how large they may be, and how much room there is. */
function DropNote({ name }: { name: string }) {
  const { t } = useTranslation('gcode-files')
  const bytes = useBytes()
  const { data } = useQuery(storageQuery)
  return (
    <div className={uploadStyles.drop}>
      <IconFileUpload size={20} stroke={1.5} aria-hidden />
      <span className={uploadStyles.anywhere}>{t('upload.drop', { folder: name })}</span>
      {data?.file_bytes != null && <span>{t('upload.limit', { size: bytes(data.file_bytes) })}</span>}
      {data && <Room used={data.used_bytes} all={data.storage_bytes} />}
    </div>
  )
}

/** `312 MB of 1 GB used`. */
function Room({ used, all }: { used: number; all: number | null }) {
  const { t } = useTranslation('gcode-files')
  const bytes = useBytes()
  if (all === null) return <span>{t('upload.used', { size: bytes(used) })}</span>
  const share = Math.min(100, (used / all) * 100)
  return (
    <span className={uploadStyles.room}>
      <Bar
        value={share}
        color={share > 90 ? 'warn' : 'accent'}
        className={uploadStyles.meter}
        aria-label={t('upload.meter')}
      />
      {t('upload.usedOf', { size: bytes(used), all: bytes(all) })}
    </span>
  )
}
