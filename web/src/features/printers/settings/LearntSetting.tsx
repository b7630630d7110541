import { Button } from '@mantine/core'
import type { Learnt } from '@vigil/contract/watch/camera-memory.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { forgetLearnt, learntQuery } from './learnt.api.ts'

const isAnything = ({ seconds, sound_answers, confirmed_failures }: Learnt) =>
  seconds >= 1 || sound_answers > 0 || confirmed_failures > 0

/** What the detector knows of this camera, and the way to have it forgotten. */
export function LearntSetting({ printer }: { printer: Printer }) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const problemText = useProblemText()
  const { data: learnt, error } = useQuery(learntQuery(printer.id))
  const words = useWords(learnt)

  const forgetting = useMutation({
    mutationFn: () => forgetLearnt(printer.id),
    onSuccess: (left) => {
      client.setQueryData(learntQuery(printer.id).queryKey, left)
      toast(t('learnt.done'), 'done')
    },
    onError: (reason) => toast(problemText(problemOf(reason)), 'failed'),
  })

  async function forget() {
    const sure = await confirm({
      title: t('learnt.title'),
      text: t('learnt.text'),
      action: t('learnt.action'),
    })
    if (sure) forgetting.mutate()
  }

  return (
    <SettingRow label={t('learnt.label')} hint={error ? problemText(problemOf(error)) : words}>
      {() => (
        <Button
          disabled={learnt === undefined || !isAnything(learnt)}
          loading={forgetting.isPending}
          onClick={() => void forget()}
        >
          {t('learnt.button')}
        </Button>
      )}
    </SettingRow>
  )
}

/** One sentence for each thing that was learnt. */
function useWords(learnt: Learnt | undefined): string {
  const { t } = useTranslation('settings')
  const { duration, moment } = useTimeText()
  if (learnt === undefined) return t('learnt.loading')
  if (!isAnything(learnt)) return t('learnt.nothing')
  const { seconds, sound_answers: answers, last_sound_answer: last, confirmed_failures: failures } = learnt
  return [
    seconds >= 1 && t('learnt.time', { time: duration(seconds) }),
    answers > 0 && t('learnt.answers', { count: answers, when: moment(ms(last) ?? 0) }),
    failures > 0 && t('learnt.failures', { count: failures }),
  ]
    .filter(Boolean)
    .join(' ')
}
