import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { SliceJob } from '@vigil/contract/slice/slicer.ts'
import { useEffect } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { cancelSlice, jobQuery } from './slicing.api.ts'
import shared from '../../../ui/shared.module.css'

const REDIRECT_MS = 1_000

interface SliceRunProps {
  job: string
  isStaying: boolean
  /** With its file and what is to be said of it, where there is one. */
  onEnd: (fileId: number | null, notes?: SliceJob['notes']) => void
}

/** A slicing while it goes on, and what came of it. */
export function SliceRun({ job, isStaying, onEnd }: SliceRunProps) {
  const { t } = useTranslation('slicing')
  const navigate = useNavigate()
  const { data } = useQuery(jobQuery(job))
  const isOver = data !== undefined && data.status !== 'queued' && data.status !== 'running'
  const fileId = data?.gcode_file_id ?? null
  useEffect(() => {
    if (data?.status !== 'done' || fileId === null) return undefined
    if (isStaying) {
      onEnd(fileId, data.notes)
      return undefined
    }
    const timer = setTimeout(() => void navigate({ to: paths.file(fileId) }), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [data, fileId, isStaying, navigate, onEnd])
  const cancel = () => void cancelSlice(job).finally(() => onEnd(null))
  if (data?.status === 'done')
    return (
      <Dialog onClose={() => onEnd(null)} title={t('done')}>
        <p role="status">{t('redirecting')}</p>
      </Dialog>
    )
  if (isOver)
    return (
      <Refused
        what={data.status === 'cancelled' ? 'cancelled' : 'hiccups'}
        why={data.error}
        onClose={() => onEnd(null)}
      />
    )
  return (
    <Dialog onClose={cancel} closeOnClickOutside={false} title={t('wait')}>
      <Progress job={data} />
      <DialogButtons>
        <Button onClick={cancel}>{t('cancel')}</Button>
      </DialogButtons>
    </Dialog>
  )
}

interface RefusedProps {
  what?: 'hiccups' | 'cancelled'
  /** As far as is known. */
  why: string | null
  onClose: () => void
}

/** That nothing was sliced, why, and who helps. */
export function Refused({ what = 'hiccups', why, onClose }: RefusedProps) {
  const { t } = useTranslation('slicing')
  const { SUPPORT_EMAIL: support } = useBootstrap().settings
  return (
    <Dialog onClose={onClose} title={t('error')}>
      <p role={why === null ? 'alert' : undefined}>{t(what)}</p>
      {why !== null && <p role="alert">{why}</p>}
      {support !== null && <a href={`mailto:${support}`}>{t('support')}</a>}
      <DialogButtons>
        <Button onClick={onClose}>{t('close')}</Button>
      </DialogButtons>
    </Dialog>
  )
}

function Progress({ job }: { job: SliceJob | undefined }) {
  const { t } = useTranslation('slicing')
  const { duration } = useTimeText()
  const waits = job?.status === 'queued' && job.position > 0
  return (
    <Stack gap={12} mt={12}>
      <p role="status">{waits ? t('position', { count: job.position }) : t('slicing')}</p>
      {job?.seconds_left != null && (
        <p className={shared.soft}>{t('remaining', { time: duration(job.seconds_left) })}</p>
      )}
      <Bar value={(job?.progress ?? 0) * 100} animated aria-label={t('progress')} />
    </Stack>
  )
}
