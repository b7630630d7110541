import { Button, Group } from '@mantine/core'
import { IconPlayerPauseFilled } from '@tabler/icons-react'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useTranslation } from '../lib/translation.ts'
import { isChanging, isPrintingOn } from './state.ts'
import { readStatus } from './status.ts'
import type { useCommands } from './useCommands.ts'

interface AlertActionsProps {
  printer: Printer
  transition: string | null
  commands: ReturnType<typeof useCommands>
}

/** The buttons that matter when a print fails, wherever an alert is told. */
export function AlertActions({ printer, transition, commands }: AlertActionsProps) {
  const { t } = useTranslation('printers')
  const goesOn = isPrintingOn(printer)
  return (
    <Group gap={10} mt={10}>
      {goesOn && (
        <Button
          variant="filled"
          color="bad"
          leftSection={<IconPlayerPauseFilled size={14} />}
          disabled={commands.busy || isChanging(readStatus(printer), transition)}
          onClick={() => void commands.pause()}
        >
          {t('pause.action')}
        </Button>
      )}
      <Button
        variant={goesOn ? 'outline' : 'filled'}
        color="bad"
        disabled={commands.busy}
        onClick={() => void commands.cancel()}
      >
        {t('cancel.action')}
      </Button>
      <Button onClick={() => void commands.answerNotFailed()} disabled={commands.busy}>
        {t('notFailure.action')}
      </Button>
    </Group>
  )
}
