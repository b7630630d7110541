import { ActionIcon, Button, FileButton, Group, Loader, TextInput } from '@mantine/core'
import {
  IconFolderOpen,
  IconFileUpload,
  IconFolderPlus,
  IconStack2,
  IconUpload,
  IconArrowsSort,
  IconSearch,
  IconX,
} from '@tabler/icons-react'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useQueryValues } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { FilePlaces } from '../../../printer/FilePlaces.tsx'
import { Bar } from '../../../ui/Bar.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { lazyMenu } from '../../../ui/lazy-menu.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import { Crumbs } from './Crumbs.tsx'
import { NewFolderDialog } from './dialogs.ts'
import { usePageDrop } from './dropping.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Files.module.css'
import { FolderItems } from './FolderItems.tsx'
import { storageQuery } from '../../shop/usage/index.ts'
import { folderPathQuery } from './gcode-files.api.ts'
import { ACCEPT, PENDING_MS } from './items.ts'
import { Loading } from './Loading.tsx'
import uploadStyles from './Uploads.module.css'
import { UploadTray } from './UploadTray.tsx'
import { useAsked } from './useAsked.ts'
import { useListing } from './useListing.ts'
import { useUpload } from './useUpload.ts'

const FileSheet = lazily(async () => (await import('./FileSheet.tsx')).FileSheet)
const SortMenu = lazyMenu(async () => (await import('./SortMenu.tsx')).SortMenu)

/** How the list is sorted. */
function SortButton() {
  const { t } = useTranslation('gcode-files')
  return (
    <SortMenu
      button={
        <ActionIcon size="lg" variant="default" aria-label={t('sort.label')} title={t('sort.label')}>
          <IconArrowsSort size={18} stroke={1.75} />
        </ActionIcon>
      }
    />
  )
}

interface FolderHeadProps {
  id: number | null
  name: string | undefined
  counts: { folders: number; files: number } | undefined
}

/** Where I am, how much lies here, and what I can do. */
function FolderHead({ id, name, counts }: FolderHeadProps) {
  const { t } = useTranslation('gcode-files')
  const [isAdding, setAdding] = useState(false)
  const upload = useUpload()
  useTitle(name ?? t('title'))
  return (
    <>
      <PageHeader
        title={t('title')}
        note={
          counts &&
          [t('folders', { count: counts.folders }), t('filesCount', { count: counts.files })].join(', ')
        }
      />
      <FilePlaces here="cloud" />
      <div className={shared.tools}>
        <Crumbs folder={id} />
        <div className={styles.actions}>
          <SearchField />
          <SortButton />
          <ActionIcon
            size="lg"
            variant="default"
            aria-label={t('newFolder.title')}
            title={t('newFolder.title')}
            onClick={() => setAdding(true)}
          >
            <IconFolderPlus size={18} stroke={1.75} />
          </ActionIcon>
          <Button
            variant="default"
            leftSection={<IconStack2 size={17} stroke={1.75} />}
            renderRoot={(props) => <Link {...props} to={paths.slice} />}
          >
            {t('sliceModel')}
          </Button>
          <FileButton multiple accept={ACCEPT} onChange={(files) => upload(files, id)}>
            {(props) => (
              <Button variant="filled" leftSection={<IconUpload size={17} stroke={1.75} />} {...props}>
                {t('upload.button')}
              </Button>
            )}
          </FileButton>
        </div>
      </div>
      {isAdding && <NewFolderDialog parent={id} onClose={() => setAdding(false)} />}
    </>
  )
}

/** What is sought, and what is typed of it: asked when it has rested for a moment. */
function useSearch() {
  const { q = '' } = useQueryValues()
  const navigate = useNavigate()
  const [text, setText] = useState(q)
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(pending.current), [])
  const ask = (wanted: string) => {
    clearTimeout(pending.current)
    const search = wanted.trim() === '' ? {} : { q: wanted.trim() }
    void navigate({ to: '.', search, replace: true })
  }
  const change = (typed: string) => {
    setText(typed)
    clearTimeout(pending.current)
    pending.current = setTimeout(() => ask(typed), PENDING_MS)
  }
  const clear = () => {
    setText('')
    ask('')
  }
  return { q, text, ask, change, clear }
}

/** Looks for files in all folders; what is looked for stands in the address, so that it is there when one comes back. */
function SearchField() {
  const { t } = useTranslation('gcode-files')
  const { q, text, ask, change, clear } = useSearch()
  return (
    <form
      role="search"
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault()
        ask(text)
      }}
    >
      <TextInput
        type="search"
        aria-label={t('search.label')}
        placeholder={t('search.label')}
        maxLength={200}
        value={text}
        leftSection={<IconSearch size={17} stroke={1.75} aria-hidden />}
        rightSection={
          text.trim() === q ? (
            text !== '' && (
              <ActionIcon variant="subtle" color="gray" aria-label={t('search.clear')} onClick={clear}>
                <IconX size={16} stroke={1.75} />
              </ActionIcon>
            )
          ) : (
            <Loader size={16} role="img" aria-label={t('search.pending')} />
          )
        }
        onChange={(event) => change(event.currentTarget.value)}
      />
    </form>
  )
}

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
