import { Menu } from '@mantine/core'
import type { QueueEntry } from '@vigil/contract/files/queue.ts'
import {
  IconArrowBarToUp,
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import { useTranslation } from '../../../lib/translation.ts'
import type { LoadedMenuProps } from '../../../ui/lazy-menu.tsx'
import { type Change, queueCalls } from './queue.api.ts'

interface EntryMenuProps extends LoadedMenuProps {
  entry: QueueEntry
  isFirst: boolean
  isLast: boolean
  change: Change
  onPlace: (by: number | 'front') => void
  onEdit: () => void
}

const SIGN = { size: 17, stroke: 1.75 }

/** What can be done with an entry. */
export function EntryMenu({
  entry,
  isFirst,
  isLast,
  change,
  onPlace,
  onEdit,
  button,
  ...menu
}: EntryMenuProps) {
  const { t } = useTranslation('queue')
  const { id, on_hold: onHold, reason } = entry
  const set = (body: Parameters<typeof queueCalls.change>[1]) =>
    change.mutate(() => queueCalls.change(id, body))
  return (
    <Menu position="bottom-end" width={230} {...menu}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {reason === 'does_not_fit' && (
          <Menu.Item leftSection={<IconCheck {...SIGN} />} onClick={() => set({ fits_anyway: true })}>
            {t('act.anyway')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={onHold ? <IconPlayerPlay {...SIGN} /> : <IconPlayerPause {...SIGN} />}
          onClick={() => set({ on_hold: !onHold })}
        >
          {t(onHold ? 'act.release' : 'act.hold')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil {...SIGN} />} onClick={onEdit}>
          {t('act.edit')}
        </Menu.Item>
        <Places isFirst={isFirst} isLast={isLast} onPlace={onPlace} />
        <Menu.Item
          color="bad"
          leftSection={<IconTrash {...SIGN} />}
          onClick={() => change.mutate(() => queueCalls.remove(id))}
        >
          {t('act.remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function Places({ isFirst, isLast, onPlace }: Pick<EntryMenuProps, 'isFirst' | 'isLast' | 'onPlace'>) {
  const { t } = useTranslation('queue')
  return (
    <>
      <Menu.Item
        leftSection={<IconArrowBarToUp {...SIGN} />}
        disabled={isFirst}
        onClick={() => onPlace('front')}
      >
        {t('act.first')}
      </Menu.Item>
      <Menu.Item leftSection={<IconArrowUp {...SIGN} />} disabled={isFirst} onClick={() => onPlace(-1)}>
        {t('act.up')}
      </Menu.Item>
      <Menu.Item leftSection={<IconArrowDown {...SIGN} />} disabled={isLast} onClick={() => onPlace(1)}>
        {t('act.down')}
      </Menu.Item>
    </>
  )
}
