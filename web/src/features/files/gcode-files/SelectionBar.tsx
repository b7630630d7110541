import { ActionIcon, Button } from '@mantine/core'
import { IconFolderSymlink, IconTrash, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import list from '../../../ui/List.module.css'
import styles from './Files.module.css'

interface SelectionBarProps {
  count: number
  onMove: () => void
  onRemove: () => void
  onNone: () => void
}

/** Floats while something is chosen: how much, and what can be done with it. */
export function SelectionBar({ count, onMove, onRemove, onNone }: SelectionBarProps) {
  const { t } = useTranslation('gcode-files')
  if (count === 0) return null
  return (
    <section className={`${list.bar} ${styles.bar}`} aria-label={t('select.label')}>
      <strong role="status">{t('select.count', { count })}</strong>
      <Button leftSection={<IconFolderSymlink size={16} stroke={1.75} />} onClick={onMove}>
        {t('actions.move')}
      </Button>
      <Button
        variant="outline"
        color="bad"
        leftSection={<IconTrash size={16} stroke={1.75} />}
        onClick={onRemove}
      >
        {t('actions.delete')}
      </Button>
      <ActionIcon
        size="lg"
        variant="default"
        aria-label={t('select.none')}
        title={t('select.none')}
        onClick={onNone}
      >
        <IconX size={16} stroke={1.75} />
      </ActionIcon>
    </section>
  )
}
