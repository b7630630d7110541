import { ActionIcon } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTitle } from '../../lib/title.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Crumbs } from './Crumbs.tsx'
import { NewFolderDialog } from './dialogs.ts'
import styles from './Files.module.css'
import { SearchField } from './SearchField.tsx'
import { SortButton } from './SortButton.tsx'

interface FolderHeadProps {
  id: number | null
  name: string | undefined
  counts: { folders: number; files: number } | undefined
}

/** Where I am, how much lies here, and what I can do. */
export function FolderHead({ id, name, counts }: FolderHeadProps) {
  const { t } = useTranslation('files')
  const [isAdding, setAdding] = useState(false)
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
        </div>
      </div>
      {isAdding && <NewFolderDialog parent={id} onClose={() => setAdding(false)} />}
    </>
  )
}
