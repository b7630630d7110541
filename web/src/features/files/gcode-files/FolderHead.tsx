import { ActionIcon, Button, FileButton, Loader, TextInput } from '@mantine/core'
import {
  IconFolderPlus,
  IconStack2,
  IconUpload,
  IconArrowsSort,
  IconSearch,
  IconX,
} from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, useEffect, useRef } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useQueryValues } from '../../../lib/address.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { FilePlaces } from '../../../printer/FilePlaces.tsx'
import { lazyMenu } from '../../../ui/lazy-menu.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Crumbs } from './Crumbs.tsx'
import { NewFolderDialog } from './dialogs.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Files.module.css'
import { ACCEPT, PENDING_MS } from './items.ts'
import { useUpload } from './uploads.ts'

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
export function FolderHead({ id, name, counts }: FolderHeadProps) {
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
