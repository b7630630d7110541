import { Box, Button } from '@mantine/core'
import { IconFileCode, IconFolder } from '@tabler/icons-react'
import { useTranslation } from '../lib/translation.ts'
import styles from './PickList.module.css'

interface Pickable {
  readonly key: string
  readonly kind: 'folder' | 'file'
  readonly name: string
  /** What stands at the end of the line, such as a size. */
  readonly note?: string
  readonly disabled?: boolean
}

interface PickListProps<P extends Pickable> {
  label: string
  items: readonly P[]
  /** What is said where there is none. */
  none: string
  onPick: (item: P) => void
  /** Reads the next ones; null where there are no more. */
  onMore?: (() => void) | null
}

/** Folders and files in a dialog, of which one is opened or chosen. */
export function PickList<P extends Pickable>({ label, items, none, onPick, onMore }: PickListProps<P>) {
  const { t } = useTranslation('gcode-files')
  if (items.length === 0 && !onMore)
    return (
      <Box component="p" p="24px 0" c="dimmed" ta="center">
        {none}
      </Box>
    )
  return (
    <ul className={styles.list} aria-label={label}>
      {items.map((item) => (
        <li key={item.key}>
          <button
            type="button"
            className={styles.pick}
            disabled={item.disabled ?? false}
            onClick={() => onPick(item)}
          >
            {item.kind === 'folder' ? (
              <IconFolder size={18} stroke={1.75} aria-hidden />
            ) : (
              <IconFileCode size={18} stroke={1.75} aria-hidden />
            )}
            <bdi className={styles.name}>{item.name}</bdi>
            {item.note && (
              <Box component="span" flex="none" c="dimmed" fz={13}>
                {item.note}
              </Box>
            )}
          </button>
        </li>
      ))}
      {onMore && (
        <li>
          <Button variant="subtle" onClick={onMore}>
            {t('more')}
          </Button>
        </li>
      )}
    </ul>
  )
}
