import { Box, Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { useCommands } from '../../../printer/useCommands.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { isRunning } from './lapse.rules.ts'
import { judge, printKey } from './print-page.api.ts'

interface AlertCardProps {
  print: Print
  printer: Printer | undefined
}

/** Raised, and nobody has answered it since. */
function isOpen(print: Print): boolean {
  const raised = ms(print.alerted_at)
  const answered = ms(print.alert_acknowledged_at) ?? 0
  if (raised === null || raised <= answered) return false
  return isRunning(print) || print.alert_overwrite === null
}

/** A failure was noticed and nobody has said yet whether it was one. */
export function AlertCard({ print, printer }: AlertCardProps) {
  const { t } = useTranslation('print-page')
  const { moment } = useTimeText()
  const at = ms(print.alerted_at)
  if (!isOpen(print) || at === null) return null
  const isCurrent = printer?.current_print?.id === print.id
  return (
    <Panel tone="bad">
      <div role="alert">
        <Box component="strong" display="block" fz={16} c="var(--v-bad)">
          {t('alert.title')}
        </Box>
        <p>{t(print.paused_at ? 'alert.paused' : 'alert.noticed', { moment: moment(at) })}</p>
      </div>
      <Box mt={12}>
        {isCurrent ? <AnswerNow printer={printer} print={print} /> : <AnswerLater print={print} />}
      </Box>
    </Panel>
  )
}

/** It goes on: the answer also says how Vigil watches on. */
function AnswerNow({ printer, print }: { printer: Printer; print: Print }) {
  const { t } = useTranslation('printers')
  const client = useQueryClient()
  const commands = useCommands(printer)
  return (
    <Button
      color="bad"
      variant="filled"
      disabled={commands.busy}
      onClick={() =>
        void commands.answerNotFailed().then(() => client.invalidateQueries({ queryKey: printKey(print.id) }))
      }
    >
      {t('notFailure.action')}
    </Button>
  )
}

/** It is over: the answer is about what was seen. */
function AnswerLater({ print }: { print: Print }) {
  const { t } = useTranslation('printers')
  const client = useQueryClient()
  const problemText = useProblemText()
  const answering = useMutation({
    mutationFn: () => judge(print.id, 'NOT_FAILED'),
    onSuccess: (answer) => client.setQueryData(printKey(print.id), answer),
    onError: (error) => toast(problemText(problemOf(error)), 'failed'),
  })
  return (
    <Button color="bad" variant="filled" loading={answering.isPending} onClick={() => answering.mutate()}>
      {t('notFailure.action')}
    </Button>
  )
}
