import { Box, Button, Loader } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { IconAlertCircle, IconCheck, IconClock } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../../lib/translation.ts'
import { problemOf } from '../../../../lib/errors.ts'
import type { Verdict } from '../../../../lib/thumbs.ts'
import { Dialog, DialogButtons } from '../../../../ui/Dialog.tsx'
import { useProblemText } from '../../../../ui/Notice.tsx'
import { applyPrinter } from '../../../../printer/held.ts'
import { commands } from '../../../../printer/printers.api.ts'
import { beginTransition } from '../../../../printer/transition-store.ts'
import { type BulkAction, eachFew, TRANSITIONS } from './bulk.ts'
import styles from './TileGrid.module.css'
import shared from '../../../../ui/shared.module.css'

const AT_ONCE = 4

interface Answer {
  phase: 'waiting' | 'asking' | 'done' | 'failed'
  text: string | null
}

interface BulkAnswersProps {
  action: BulkAction
  printers: Printer[]
  /** What their owner says of the alerts that are open. */
  overwrite?: Verdict
  onClose: () => void
}

/** Tells each printer, and shows what each has answered. */
export function BulkAnswers({ action, printers, overwrite, onClose }: BulkAnswersProps) {
  const { t } = useTranslation('grid')
  const { t: words } = useTranslation('printers')
  const client = useQueryClient()
  const problemText = useProblemText()
  const [answers, setAnswers] = useState<ReadonlyMap<number, Answer>>(new Map())
  const started = useRef(false)

  async function tell(printer: Printer): Promise<void> {
    const note = (phase: Answer['phase'], text: string | null = null) =>
      setAnswers((held) => new Map(held).set(printer.id, { phase, text }))
    note('asking')
    try {
      const result = await commands[action](printer.id, printer.current_print?.id, overwrite)
      applyPrinter(client, result.printer)
      if (result.succeeded) beginTransition(printer, TRANSITIONS[action])
      note(
        result.succeeded ? 'done' : 'failed',
        result.succeeded ? null : (result.detail ?? words('command.failed')),
      )
    } catch (error) {
      note('failed', problemText(problemOf(error)))
    }
  }

  const run = useRef(() => eachFew(printers, AT_ONCE, tell))
  useEffect(() => {
    if (started.current) return
    started.current = true
    void run.current()
  }, [])

  const all = [...answers.values()]
  const failed = all.filter(({ phase }) => phase === 'failed').length
  const done = all.filter(({ phase }) => phase === 'done').length
  const busy = failed + done < printers.length
  return (
    <Dialog
      onClose={onClose}
      title={t(`bulk.${action}.running`, { count: printers.length })}
      withCloseButton={false}
    >
      <p role="status" className={styles.aside}>
        {busy
          ? t('bulk.progress', { done: done + failed, count: printers.length })
          : failed > 0
            ? t('bulk.some', { failed, count: printers.length })
            : t('bulk.sent')}
      </p>
      <ul className={styles.answers}>
        {printers.map(({ id, name }) => {
          const { phase, text } = answers.get(id) ?? { phase: 'waiting', text: null }
          return (
            <li key={id} data-phase={phase}>
              <AnswerMark phase={phase} />
              <Box component="span" className={shared.cut} c="var(--v-ink)" fw={550}>
                {name}
              </Box>
              <span className={styles.said}>{text ?? t(`bulk.phase.${phase}`)}</span>
            </li>
          )
        })}
      </ul>
      <DialogButtons>
        <Button {...(busy ? {} : { variant: 'filled' })} onClick={onClose} data-autofocus>
          {busy ? t('bulk.hide') : t('bulk.close')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

function AnswerMark({ phase }: { phase: Answer['phase'] }) {
  if (phase === 'asking') return <Loader size={16} aria-hidden />
  if (phase === 'done') return <IconCheck size={16} stroke={2} aria-hidden />
  if (phase === 'failed') return <IconAlertCircle size={16} stroke={1.75} aria-hidden />
  return <IconClock size={16} stroke={1.75} aria-hidden />
}
