import { Box, Button, Flex, Skeleton, Stack, TextInput } from '@mantine/core'
import { IconChevronDown, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Macro } from '@vigil/contract/printers/macros.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useId, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { isActive } from '../../../printer/state.ts'
import { readStatus } from '../../../printer/status.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { groupsOf, isMany } from './groups.ts'
import { macrosQuery, run } from './macros.api.ts'
import styles from './Macros.module.css'
import { ParamsForm } from './ParamsForm.tsx'

interface MacrosWidgetProps {
  printer: Printer
  transition: string | null
}

/** Klipper's macros: each a button, with a form where it asks for something. While a print runs they are off, and say so. */
export function MacrosWidget({ printer, transition }: MacrosWidgetProps) {
  const { t } = useTranslation('macros')
  const text = useProblemText()
  const { data, error, isFetching, refetch } = useQuery(macrosQuery(printer.id))
  return (
    <Panel title={t('title')}>
      {!data && !error && <Skeleton height={72} role="status" aria-label={t('loading')} />}
      {!data && error && (
        <div className={shared.fields}>
          <p className={shared.small} role="alert">
            {text(problemOf(error))}
          </p>
          <div className={shared.buttons}>
            <Button loading={isFetching} onClick={() => void refetch()}>
              {t('again')}
            </Button>
          </div>
        </div>
      )}
      {data?.length === 0 && <p className={shared.small}>{t('none')}</p>}
      {data && data.length > 0 && <Macros {...{ printer, transition }} macros={data} />}
    </Panel>
  )
}

function Macros({ printer, transition, macros }: MacrosWidgetProps & { macros: readonly Macro[] }) {
  const { t } = useTranslation('macros')
  const id = useId()
  const [sought, setSought] = useState('')
  const off = useOff(printer, transition)
  const running = useRun(printer.id, isActive(readStatus(printer), transition))
  const groups = groupsOf(macros, sought)
  return (
    <div className={shared.fields}>
      {isMany(macros) && (
        <TextInput
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          maxLength={100}
          leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
      )}
      {off && (
        <p id={`${id}-off`} className={shared.small}>
          {t(`off.${off}`)}
        </p>
      )}
      {groups.length === 0 && <p className={shared.small}>{t('nothingFound')}</p>}
      {groups.map(({ title, macros: members }) => (
        <Stack key={title ?? ''} role="group" aria-label={title ?? t('others')} gap={8}>
          {groups.length > 1 && (
            <Box component="h3" fz={12} fw={600} c="dimmed">
              {title ?? t('others')}
            </Box>
          )}
          <MacroButtons macros={members} offId={off && `${id}-off`} {...running} />
        </Stack>
      ))}
    </div>
  )
}

interface MacroButtonsProps extends ReturnType<typeof useRun> {
  macros: readonly Macro[]
  /** What says why none may be run; null: each may. */
  offId: string | null
}

/** A button for each macro; what one asks for unfolds below. */
function MacroButtons({ macros, offId, runIt, running }: MacroButtonsProps) {
  const [open, setOpen] = useState<string | null>(null)
  const asking = offId === null && macros.find(({ name }) => name === open)
  return (
    <>
      <Flex wrap="wrap" gap={8}>
        {macros.map(({ name, description, params: { length: asks } }) => (
          <Button
            key={name}
            size="compact-md"
            className={styles.macro}
            title={description ?? undefined}
            disabled={offId !== null}
            loading={running === name}
            aria-expanded={asks > 0 ? open === name : undefined}
            aria-describedby={offId ?? undefined}
            rightSection={asks > 0 && <IconChevronDown size={14} stroke={1.75} aria-hidden />}
            onClick={() => (asks > 0 ? setOpen(open === name ? null : name) : void runIt(name, {}))}
          >
            {name}
          </Button>
        ))}
      </Flex>
      {asking && (
        <ParamsForm
          key={asking.name}
          macro={asking}
          isRunning={running === asking.name}
          onRun={(params) => void runIt(asking.name, params)}
        />
      )}
    </>
  )
}

/** Why no macro may be run: a print is under way, or about to be. In its pause they may: that is when filament is changed. */
function useOff(printer: Printer, transition: string | null): 'printing' | 'busy' | null {
  const reading = readStatus(printer)
  if (!isActive(reading, transition)) return null
  if (transition === null && reading?.paused && reading.text === 'Paused') return null
  return reading?.printing ? 'printing' : 'busy'
}

/** Runs a macro and says what came of it. In the pause of a print it is asked first: it may move over what is printed, or end it. */
function useRun(printerId: number, isInPrint: boolean) {
  const { t } = useTranslation('macros')
  const text = useProblemText()
  const [running, setRunning] = useState<string | null>(null)
  async function runIt(name: string, params: Record<string, string>) {
    const sure = { title: t('sure.title', { name }), text: t('sure.text'), action: t('run', { name }) }
    if (isInPrint && !(await confirm(sure))) return
    setRunning(name)
    try {
      const { done } = await run(printerId, name, params)
      toast(t(done ? 'done' : 'goesOn', { name }), 'done')
    } catch (error) {
      toast(text(problemOf(error)), 'failed')
    } finally {
      setRunning(null)
    }
  }
  return { runIt, running }
}
