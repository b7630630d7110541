import { Box, Button, Flex } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../../../lib/translation.ts'
import type { SocketState } from '../../../../lib/socket.ts'
import { useDriver } from '../../../../printer/driver/useDriver.ts'
import { isOffline } from '../../../../printer/state.ts'
import { readStatus } from '../../../../printer/status.ts'
import type { useCommands } from '../../../../printer/useCommands.ts'
import { Panel } from '../../../../ui/Panel.tsx'
import { MacrosWidget } from '../../macros/index.ts'
import { TemperaturesWidget } from '../../temperatures/index.ts'
import { TerminalWidget } from '../../terminal/index.ts'
import { ToolheadWidget } from '../../toolhead/index.ts'
import { DetectionWidget } from '../control/DetectionWidget.tsx'
import { PrintWidget } from '../control/PrintWidget.tsx'
import { grouped, WIDE, type WidgetName } from './layout.ts'
import type { Layout } from './useLayout.ts'
import styles from './Widgets.module.css'

/** Below this everything stands in one column (ControlPage.module.css). */
const ONE_COLUMN = '(max-width: 899px)'

export interface WidgetsProps {
  printer: Printer
  transition: string | null
  commands: ReturnType<typeof useCommands>
  line: SocketState
  layout: Layout
}

/** The widgets for the places beside and under the camera; on one column all of them stand beside it. */
export function useWidgets(props: WidgetsProps): { side: ReactNode; wide: ReactNode } {
  const { t } = useTranslation('widgets')
  const oneColumn = useMediaQuery(ONE_COLUMN, undefined, { getInitialValueInEffect: false })
  const { printer, layout } = props
  const reading = readStatus(printer)
  const reachable = !isOffline(printer) && !reading?.disconnected
  const names = layout.rows
    .filter(({ name, enabled }) => enabled && (reachable || name === 'print'))
    .map(({ name }) => name)
    .filter((name) => name !== 'display' || reading?.message)

  const draw = (part: WidgetName[]) =>
    grouped(part).map((card) => <Card key={card === 'job' ? 'print' : card} card={card} {...props} />)
  if (isOffline(printer)) return { side: null, wide: null }
  if (names.length === 0 && reachable)
    return {
      side: (
        <Box component="p" p="24px 16px" ta="center" c="dimmed">
          {t('noneShown')}
        </Box>
      ),
      wide: null,
    }
  if (oneColumn) return { side: draw(names), wide: null }
  const under = names.filter((name) => WIDE.includes(name))
  return {
    side: draw(names.filter((name) => !WIDE.includes(name))),
    wide: under.length > 0 ? draw(under) : null,
  }
}

function Card({ card, printer, transition, commands, line }: WidgetsProps & { card: WidgetName | 'job' }) {
  const message = readStatus(printer)?.message
  switch (card) {
    case 'job':
      return <PrintWidget printer={printer} transition={transition} commands={commands} />
    case 'print':
      return <PrintWidget printer={printer} transition={transition} commands={commands} part="control" />
    case 'progress':
      return <PrintWidget printer={printer} transition={transition} commands={commands} part="progress" />
    case 'detection':
      return <DetectionWidget printer={printer} commands={commands} />
    case 'temperatures':
      return <TemperaturesWidget printer={printer} />
    case 'toolhead':
      return <ToolheadWidget printer={printer} transition={transition} />
    case 'macros':
      return <MacrosWidget printer={printer} transition={transition} />
    case 'terminal':
      return <TerminalWidget printer={printer} line={line} />
    case 'display':
      return message ? <DisplayWidget printer={printer} message={message} /> : null
  }
}

/** What stands on the printer's own display, and a way to clear it. */
function DisplayWidget({ printer, message }: { printer: Printer; message: string }) {
  const { t } = useTranslation('widgets')
  const { driver, run } = useDriver(printer)
  const [busy, setBusy] = useState(false)

  async function dismiss() {
    setBusy(true)
    await run(driver.display(''), { tell: true })
    setBusy(false)
  }

  return (
    <Panel title={t('name.display')}>
      <Flex align="flex-start" justify="space-between" gap={12}>
        <p className={styles.message}>{message}</p>
        <Button size="compact-md" disabled={busy} onClick={() => void dismiss()}>
          {t('dismiss')}
        </Button>
      </Flex>
    </Panel>
  )
}
