import { Group } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import { useTranslation } from '../lib/translation.ts'
import type { SocketState } from '../lib/socket.ts'

/** Says when what stands here is not told live because nobody looks; a line that is lost has its banner. */
export function LineNote({ state }: { state: SocketState }) {
  const { t } = useTranslation('printers')
  if (state !== 'paused') return null
  return (
    <Group component="p" gap={8} wrap="nowrap" m="-4px 0 14px" fz={13} c="var(--v-warn)" role="status">
      <IconPlayerPause size={16} stroke={1.75} aria-hidden />
      {t('control.paused')}
    </Group>
  )
}
