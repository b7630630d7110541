import { Button } from '@mantine/core'
import { getPrint, type Print } from '@vigil/contract/prints/prints.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { useId, useQueryValues } from '../../../lib/address.ts'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import type { Verdict } from '../../../lib/thumbs.ts'
import { useTitle } from '../../../lib/title.ts'
import { commands } from '../../../printer/printers.api.ts'
import { Notice, useProblemText } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'

type Act = 'cancel' | 'resume' | 'resumeAndMute'

/** Where a message leads that offers something: nothing is done before it is confirmed. */
export function PrintAct({ act }: { act: Act }) {
  const { t } = useTranslation('notifications')
  const id = useId()
  useTitle(t(`act.${act}.title`))
  const asked = useQuery({
    queryKey: ['prints', id, 'act'],
    queryFn: () => call(getPrint, { params: { id }, query: {} }),
    staleTime: 0,
  })
  if (asked.error)
    return (
      <NotLoaded
        title={t('act.failed')}
        problem={problemOf(asked.error)}
        onRetry={() => void asked.refetch()}
      />
    )
  if (!asked.data) return null
  const { printer, filename, ended_at: endedAt } = asked.data
  if (printer === null || endedAt !== null) return <Outdated printerId={printer?.id ?? null} />
  const isAsked = act !== 'cancel' && isAlertOpen(asked.data)
  return <Confirm act={act} printId={id} printer={printer} filename={filename} isAsked={isAsked} />
}

/** Raised, and nobody has answered it since. */
const isAlertOpen = ({ alerted_at: at, alert_acknowledged_at: answered }: Print) =>
  at !== null && (ms(at) ?? 0) > (ms(answered) ?? 0)

interface ConfirmProps {
  act: Act
  printId: number
  printer: { id: number; name: string }
  filename: string
  /** Resuming asks first whether it was a failure. */
  isAsked: boolean
}

function Confirm({ act, printId, printer, filename, isAsked }: ConfirmProps) {
  const { t } = useTranslation('notifications')
  const problemText = useProblemText()
  const acting = useMutation({
    mutationFn: async (said: Verdict) => {
      if (act === 'cancel') return await commands.cancel(printer.id, printId)
      if (act === 'resumeAndMute') await commands.mute(printer.id, true, printId)
      return await commands.resume(printer.id, printId, said)
    },
  })
  if (acting.isSuccess && acting.data.succeeded)
    return (
      <Notice
        whole
        title={t(`act.${act}.done`, { printer: printer.name })}
        actions={<ToPrinter id={printer.id} />}
      />
    )
  const problem = acting.error ? problemText(problemOf(acting.error)) : acting.data?.detail
  return (
    <Notice
      whole
      title={t(`act.${act}.title`)}
      actions={
        <>
          <ToPrinter id={printer.id} />
          {isAsked && (
            <Button disabled={acting.isPending} onClick={() => acting.mutate('FAILED')}>
              {t('act.was')}
            </Button>
          )}
          <Button
            variant="filled"
            color={act === 'cancel' ? 'bad' : undefined}
            loading={acting.isPending}
            onClick={() => acting.mutate('NOT_FAILED')}
          >
            {t(isAsked ? 'act.wasNot' : `act.${act}.button`)}
          </Button>
        </>
      }
    >
      <p>{t(`act.${act}.text`, { file: filename, printer: printer.name })}</p>
      {isAsked && <p>{t('act.wasFailure')}</p>}
      {problem && <p role="alert">{problem}</p>}
    </Notice>
  )
}

/** The print that was meant has ended: nothing of another one is touched. */
function Outdated({ printerId }: { printerId: number | null }) {
  const { t } = useTranslation('notifications')
  return (
    <Notice
      whole
      title={t('act.outdated')}
      actions={printerId === null ? undefined : <ToPrinter id={printerId} />}
    >
      {t('act.outdatedText')}
    </Notice>
  )
}

function ToPrinter({ id }: { id: number }) {
  const { t } = useTranslation('notifications')
  return (
    <Button renderRoot={(props) => <Link {...props} to={paths.control(id)} />}>{t('act.printer')}</Button>
  )
}

/** `/prints/{id}/cancel/`, where a message leads. */
export function CancelPrintScreen() {
  return <PrintAct act="cancel" />
}

/** `/prints/{id}/resume/`, where a message leads; with `mute_alert=true` there are no further alerts for this print. */
export function ResumePrintScreen() {
  const { mute_alert: mute } = useQueryValues()
  return <PrintAct act={mute === 'true' ? 'resumeAndMute' : 'resume'} />
}
