import { ActionIcon, Button, FileButton } from '@mantine/core'
import { IconFolderPlus, IconUpload, IconArrowsSort } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTitle } from '../../../lib/title.ts'
import { FilePlaces } from '../../../printer/FilePlaces.tsx'
import { lazyMenu } from '../../../ui/lazy-menu.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Crumbs } from './Crumbs.tsx'
import { NewFolderDialog } from './dialogs.ts'
import styles from './Files.module.css'
import { ACCEPT } from './items.ts'
import { SearchField } from './SearchField.tsx'
import { useUpload } from './useUpload.ts'

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
      <div className={styles.tools}>
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
