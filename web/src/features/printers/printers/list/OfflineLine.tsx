import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconSettings } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../../lib/translation.ts'
import { useNow } from '../../../../lib/clock.ts'
import { ms } from '../../../../lib/format.ts'
import { paths } from '../../../../lib/paths.ts'
import { mayEdit } from '../../../../printer/rights.ts'
import { SharedBy } from '../../../../printer/SharedBy.tsx'
import { StatusMark } from '../../../../ui/StatusMark.tsx'
import { useTimeText } from '../../../../ui/time.tsx'
import cards from './PrinterCard.module.css'
import styles from './PrinterListScreen.module.css'

/** A printer that is away: that it is, since when, and the ways to its page and settings. */
export function OfflineLine({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const { t: grid } = useTranslation('grid')
  const now = useNow()
  const { ago } = useTimeText()
  const seen = ms(printer.agent.last_seen_at)
  return (
    <Group component="article" wrap="nowrap" gap={12} className={styles.offline}>
      <StatusMark shape="hollow" tone="quiet" />
      <Stack gap={0} flex={1} miw={0} data-live>
        <h2 className={cards.name}>
          <Link to={paths.control(printer.id)} className={cards.link}>
            {printer.name}
          </Link>
        </h2>
        <Text size="sm" c="var(--v-soft)" truncate>
          {t('idle.offline')}
          {seen !== null && ` · ${grid('tile.seen', { moment: ago((now - seen) / 1000) })}`}
        </Text>
      </Stack>
      <SharedBy printer={printer} />
      {mayEdit(printer) && (
        <ActionIcon
          pos="relative"
          style={{ zIndex: 1 }}
          aria-label={grid('card.settings', { name: printer.name })}
          renderRoot={(props) => <Link {...props} to={paths.printerSettings(printer.id)} />}
        >
          <IconSettings size={18} stroke={1.75} />
        </ActionIcon>
      )}
    </Group>
  )
}
