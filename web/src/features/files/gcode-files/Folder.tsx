import { IconFolderOpen } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useQueryValues } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { folderPathQuery } from './gcode-files.api.ts'
import styles from './Files.module.css'
import { DropNote } from './DropNote.tsx'
import { usePageDrop } from './dropping.ts'
import { FolderHead } from './FolderHead.tsx'
import { FolderItems } from './FolderItems.tsx'
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
