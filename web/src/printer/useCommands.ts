import type { CommandResult, Printer } from '@vigil/contract/printers/printers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Texts, useTranslation } from '../lib/translation.ts'
import { problemOf } from '../lib/errors.ts'
import { toast } from '../lib/toast.ts'
import { ask, confirm } from '../ui/confirm.tsx'
import { useProblemText } from '../ui/Notice.tsx'
import { applyPrinter } from './held.ts'
import { commands } from './printers.api.ts'
import { mayControl } from './rights.ts'
import { hasOpenAlert } from './state.ts'
import { readStatus } from './status.ts'
import type { TransitionName } from './transition.ts'
import { beginTransition } from './transition-store.ts'

/** A mute follows the answer to an alert by this much, so that the two are told apart (docs/rules/watch.md 5). */
const MUTE_AFTER_MS = 1_000

/** What is asked before a print goes on whose alert nobody has answered. */
export const wasItAFailure = (t: Texts<'printers'>) => ({
  title: t('wasFailure.title'),
  text: t('wasFailure.text'),
  dismiss: t('wasFailure.dismiss'),
  choices: [
    { value: 'yes', tone: 'plain' as const, label: t('wasFailure.yes') },
    { value: 'mute', tone: 'plain' as const, label: t('wasFailure.mute') },
    { value: 'no', label: t('wasFailure.no') },
  ],
})

/** What an owner can do to the print, each asked as docs/rules/pages.md 2 wants it. */
export function useCommands(printer: Printer) {
  const { t } = useTranslation('printers')
  const client = useQueryClient()
  const problemText = useProblemText()
  const [busy, setBusy] = useState(false)

  async function send(command: () => Promise<CommandResult>, transition?: TransitionName): Promise<boolean> {
    setBusy(true)
    try {
      const result = await command()
      applyPrinter(client, result.printer)
      if (!result.succeeded) toast(result.detail ?? t('command.failed'), 'failed')
      else if (transition) beginTransition(printer, transition)
      return result.succeeded
    } catch (error) {
      toast(problemText(problemOf(error)), 'failed')
      return false
    } finally {
      setBusy(false)
    }
  }

  // The print that is shown when somebody presses; by the time they are sure another one may run.
  const { id, current_print: print } = printer
  const mute = (muted: boolean) => send(() => commands.mute(id, muted, print?.id))

  /** Answers the alert with "not a failure"; a paused print goes on. */
  async function answerNotFailed() {
    const paused = readStatus(printer)?.paused === true
    const answer = await ask({
      title: t('notFailure.title'),
      text: paused ? t('notFailure.textPaused') : t('notFailure.text'),
      dismiss: t('notFailure.dismiss'),
      choices: [
        { value: 'mute', tone: 'plain', label: paused ? t('notFailure.resumeMute') : t('notFailure.mute') },
        { value: 'watch', label: paused ? t('notFailure.resumeWatch') : t('notFailure.watch') },
      ],
    })
    if (!answer) return
    const done = paused
      ? await send(() => commands.resume(id, print?.id), 'Resuming')
      : await send(() => commands.notFailed(id, print?.id))
    if (done && answer === 'mute') setTimeout(() => void mute(true), MUTE_AFTER_MS)
  }

  return {
    /** Also for who may only look. */
    busy: busy || !mayControl(printer),
    mute,
    answerNotFailed,
    async pause() {
      const sure = await confirm({
        title: t('pause.title'),
        text: t('pause.text'),
        action: t('pause.action'),
      })
      if (sure) await send(() => commands.pause(id, print?.id), 'Pausing')
    },
    async resume() {
      const answer = hasOpenAlert(printer) ? await ask(wasItAFailure(t)) : 'no'
      if (!answer) return
      const said = answer === 'yes' ? 'FAILED' : 'NOT_FAILED'
      const done = await send(() => commands.resume(id, print?.id, said), 'Resuming')
      if (done && answer === 'mute') setTimeout(() => void mute(true), MUTE_AFTER_MS)
    },
    async cancel() {
      const sure = await confirm({
        title: t('cancel.title'),
        text: t('cancel.text'),
        action: t('cancel.action'),
        tone: 'bad',
        dismiss: t('cancel.dismiss'),
      })
      if (sure) await send(() => commands.cancel(id, print?.id), 'Cancelling')
    },
  }
}
