import { Badge } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useTranslation } from '../lib/translation.ts'

/** Whose printer it is, and what one may do with it; nothing for one's own. */
export function SharedBy({ printer }: { printer: Printer }) {
  const { t } = useTranslation('household')
  if (printer.shared_by === null) return null
  return (
    <Badge
      variant="default"
      tt="none"
      fw={500}
      leftSection={<IconUsers size={13} stroke={1.75} aria-hidden />}
    >
      {t('sharedBy', { name: printer.shared_by, role: t(`role.${printer.role}`) })}
    </Badge>
  )
}
