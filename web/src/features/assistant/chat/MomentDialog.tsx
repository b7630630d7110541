import { NativeSelect, Skeleton } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { listMoments } from '@vigil/contract/assistant/answers.ts'
import { listPictured } from '@vigil/contract/assistant/pictured.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { dateAndTime, dateFormat, ms } from '../../../lib/format.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import styles from './Chat.module.css'
import type { Picture } from './entries.ts'
import { useChat } from './useChat.ts'

const printsQuery = (ownerId: number | null) =>
  queryOptions({
    queryKey: ['assistant', 'prints', ownerId],
    queryFn: () => call(listPictured),
  })
const momentsQuery = (id: number) =>
  queryOptions({
    queryKey: ['assistant', 'moments', id],
    queryFn: () => call(listMoments, { params: { id } }),
  })

/** Moments of one print lie near each other. */
const TO_THE_SECOND = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const

interface MomentDialogProps {
  onPicture: (picture: Picture) => void
  onClose: () => void
}

/** A moment of a print that is kept here: its picture, and what was known just then, go with the question. */
export function MomentDialog({ onPicture, onClose }: MomentDialogProps) {
  const { t, i18n } = useTranslation('assistant')
  const [, { me }] = useChat('me')
  const { data: prints, error, refetch } = useQuery(printsQuery(me?.user.id ?? null))
  const [chosen, setChosen] = useState<number | null>(null)
  const print = prints?.find(({ id }) => id === chosen) ?? prints?.[0]
  const nameOf = ({ filename, printer_name: printer, started_at: started }: NonNullable<typeof print>) => {
    const at = ms(started)
    return [filename, printer, at === null ? null : dateAndTime(i18n.language, at)]
      .filter(Boolean)
      .join(' · ')
  }
  return (
    <Dialog title={t('moments.title')} size={560} onClose={onClose}>
      {error && (
        <Failed title={t('moments.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {prints?.length === 0 && <p>{t('moments.none')}</p>}
      {prints && print && (
        <NativeSelect
          label={t('moments.print')}
          value={print.id}
          data={prints.map((one) => ({ value: String(one.id), label: nameOf(one) }))}
          onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
        />
      )}
      {print && (
        <Moments
          key={print.id}
          printId={print.id}
          onPicture={(picture) => {
            onPicture(picture)
            onClose()
          }}
        />
      )}
      {!prints && !error && <Skeleton h={180} />}
    </Dialog>
  )
}

function Moments({ printId, onPicture }: { printId: number; onPicture: (picture: Picture) => void }) {
  const { t, i18n } = useTranslation('assistant')
  const { data, error, refetch } = useQuery(momentsQuery(printId))
  if (error)
    return <Failed title={t('moments.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
  if (!data) return <Skeleton h={180} mt={12} />
  if (data.moments.length === 0) return <p>{t('moments.noneOf')}</p>
  return (
    <ul className={styles.moments}>
      {data.moments.map(({ at, image_url: url, score }) => {
        const time = ms(at)
        return (
          <li key={at}>
            <button type="button" onClick={() => onPicture({ shown: url, sent: { print_id: printId, at } })}>
              <img src={url} alt="" loading="lazy" />
              <span>{time === null ? at : dateFormat(i18n.language, TO_THE_SECOND).format(time)}</span>
              {score !== null && <span>{t('moments.score', { percent: Math.round(score * 100) })}</span>}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
