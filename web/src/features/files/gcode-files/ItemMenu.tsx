import { Menu } from '@mantine/core'
import { IconDownload, IconFolderSymlink, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '../../../lib/translation.ts'
import type { LoadedMenuProps } from '../../../ui/lazy-menu.tsx'
import type { Item } from './items.ts'

interface ItemMenuProps extends LoadedMenuProps {
  item: Item
  onRename: () => void
  onMove: () => void
  onRemove: () => void
}

const SIGN = { size: 17, stroke: 1.75 }

/** What can be done with one line. */
export function ItemMenu({ item, onRename, onMove, onRemove, button, ...menu }: ItemMenuProps) {
  const { t } = useTranslation('gcode-files')
  return (
    <Menu position="bottom-end" width={200} {...menu}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {item.kind === 'file' && item.file.url && (
          <Menu.Item
            component="a"
            href={item.file.url}
            download={item.file.safe_filename}
            leftSection={<IconDownload {...SIGN} />}
          >
            {t('actions.download')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconPencil {...SIGN} />} onClick={onRename}>
          {t('actions.rename')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFolderSymlink {...SIGN} />} onClick={onMove}>
          {t('actions.move')}
        </Menu.Item>
        <Menu.Item color="bad" leftSection={<IconTrash {...SIGN} />} onClick={onRemove}>
          {t('actions.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
