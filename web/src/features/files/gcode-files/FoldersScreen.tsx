import { Button, Group } from '@mantine/core'
import { IconFileUpload, IconFolderOpen } from '@tabler/icons-react'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { usePlace, useQueryValues } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import { usePageDrop } from './dropping.ts'
import styles from './Files.module.css'
import { FolderItems, Loading } from './FolderItems.tsx'
import { storageQuery } from '../../shop/usage/index.ts'
import { folderPathQuery } from './gcode-files.api.ts'
import uploadStyles from './Uploads.module.css'
import { UploadTray } from './UploadTray.tsx'
import { useAsked, useListing } from './useListing.ts'
import { useUpload } from './uploads.ts'
import { FolderHead } from './FolderHead.tsx'

const FileSheet = lazily(async () => (await import('./FileSheet.tsx')).FileSheet)

/** A folder of the cloud store: where one is, what can be put there, and a list that goes on for as long as there is any. */
export function Folder({ id }: { id: number | null }) {
  const { t } = useTranslation('gcode-files')
  const asked = useAsked(id)
  const listing = useListing(asked)
  const { data: path, error } = useQuery({ ...folderPathQuery(id ?? 0), enabled: id !== null })
  const { q } = useQueryValues()
  const upload = useUpload()
  const sheet = useSheet()
  const isOver = usePageDrop((files) => upload(files, id))
  const name = id === null ? t('root') : (path?.at(-1)?.name ?? '')
  if (error && problemOf(error).kind === 'missing') return <NoFolder />
  const { problem, isPending, items, isWhole, retry } = listing
  if (problem) return <NotLoaded title={t('failed')} problem={problem} onRetry={retry} />
  const isEmpty = isWhole && items.length === 0
  return (
    <div className={styles.page} data-sheet={sheet.open === null ? undefined : true}>
      <div>
        <FolderHead id={id} name={path?.at(-1)?.name} counts={listing.counts} />
        <UploadTray />
        {isPending && <Loading />}
        {isEmpty && (
          <Notice
            picture={<IconFolderOpen size={40} stroke={1.25} />}
            title={t(q ? 'nothingFound' : 'empty')}
          >
            {!q && t('emptyText')}
          </Notice>
        )}
        {!isPending && !isEmpty && (
          <FolderItems id={id} listing={listing} open={sheet.open} onOpen={sheet.onOpen} />
        )}
        <DropNote name={name} />
      </div>
      {sheet.open !== null && <FileSheet key={sheet.open} id={sheet.open} onClose={sheet.onClose} />}
      {isOver && (
        <div className={uploadStyles.over}>
          <p>{t('upload.drop', { folder: name })}</p>
        </div>
      )}
    </div>
  )
}

/** The file beside the list: it stands in the address, and only where there is room for both. */
function useSheet() {
  const { file, q } = useQueryValues()
  const hasRoom = useMediaQuery('(min-width: 1280px)', false, { getInitialValueInEffect: false })
  const navigate = useNavigate()
  const show = useCallback(
    (wanted: number | null) => {
      const search = { ...(q && { q }), ...(wanted !== null && { file: String(wanted) }) }
      void navigate({ to: '.', search, replace: true, resetScroll: false })
    },
    [navigate, q],
  )
  const open = Number(file)
  return {
    open: hasRoom && Number.isSafeInteger(open) && file ? open : null,
    onOpen: hasRoom ? show : null,
    onClose: useCallback(() => show(null), [show]),
  }
}

/** Where to drop files, how large they may be, and how much room there is. */
function DropNote({ name }: { name: string }) {
  const { t } = useTranslation('gcode-files')
  const bytes = useBytes()
  const { data } = useQuery(storageQuery)
  return (
    <div className={uploadStyles.drop}>
      <IconFileUpload size={20} stroke={1.5} aria-hidden />
      <span>{t('upload.drop', { folder: name })}</span>
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
    <Group component="span" gap={10} wrap="nowrap">
      <Bar
        value={share}
        color={share > 90 ? 'warn' : 'accent'}
        className={uploadStyles.meter}
        aria-label={t('upload.meter')}
      />
      {t('upload.usedOf', { size: bytes(used), all: bytes(all) })}
    </Group>
  )
}

/** What stands where a folder would. */
export function NoFolder() {
  const { t } = useTranslation('gcode-files')
  return (
    <Notice
      whole
      title={t('folder.missing')}
      actions={
        <Button variant="filled" renderRoot={(props) => <Link {...props} to={paths.folders} />}>
          {t('toFiles')}
        </Button>
      }
    >
      {t('folder.missingText')}
    </Notice>
  )
}

/** The cloud store: one folder of it, or its root. */
export default function FoldersScreen() {
  const place = usePlace('id')
  const id = place === undefined ? null : Number(place)
  if (id !== null && !Number.isSafeInteger(id)) return <NoFolder />
  return <Folder key={id} id={id} />
}
