import { ActionIcon, Button, Menu } from '@mantine/core'
import type { StoredFile } from '@vigil/contract/files/gcode-files.ts'
import { IconDots, IconDownload, IconFolderSymlink, IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { PrintFile } from '../../../printer/cloudprint/PrintFile.tsx'
import { AddToQueue } from '../queue/index.ts'
import { itemOf } from './items.ts'
import { MoveDialog, RenameDialog } from './dialogs.ts'
import { useRemove } from './useRemove.ts'

/** What can be done with a file; the buttons of those who print it stand first. */
export function FileActions({ file }: { file: StoredFile }) {
  const { t } = useTranslation('gcode-files')
  const [open, setOpen] = useState<'rename' | 'move' | null>(null)
  const navigate = useNavigate()
  const remove = useRemove()
  const item = itemOf(file)
  const close = () => setOpen(null)
  const folder = file.parent_folder
  async function removeIt() {
    const gone = await remove([item])
    if (gone) await navigate({ to: folder ? paths.folder(folder.id) : paths.folders, replace: true })
  }
  return (
    <>
      <PrintFile file={file} />
      <AddToQueue file={file} />
      {file.url && (
        <Button
          component="a"
          href={file.url}
          download={file.safe_filename}
          leftSection={<IconDownload size={17} stroke={1.75} />}
        >
          {t('actions.download')}
        </Button>
      )}
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={t('actions.more')}>
            <IconDots size={18} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={17} stroke={1.75} />} onClick={() => setOpen('rename')}>
            {t('actions.rename')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconFolderSymlink size={17} stroke={1.75} />}
            onClick={() => setOpen('move')}
          >
            {t('actions.move')}
          </Menu.Item>
          <Menu.Item
            color="bad"
            leftSection={<IconTrash size={17} stroke={1.75} />}
            onClick={() => void removeIt()}
          >
            {t('actions.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'rename' && <RenameDialog item={item} onClose={close} />}
      {open === 'move' && <MoveDialog items={[item]} from={folder?.id ?? null} onClose={close} />}
    </>
  )
}
