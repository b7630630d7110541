import { Button, Flex } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { SliceJob } from '@vigil/contract/slice/slicer.ts'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { GcodeView } from '../../../gcode/index.ts'
import { bedAreaOf } from '../../../lib/gcode-details.ts'
import { paths } from '../../../lib/paths.ts'
import { PrintFile } from '../../../printer/cloudprint/PrintFile.tsx'
import { Bar } from '../../../ui/Bar.tsx'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { AddToQueue } from '../../files/queue/index.ts'
import { cancelSlice, jobQuery, slicedQuery } from './slicing.api.ts'
import styles from './Slicing.module.css'

const REDIRECT_MS = 1_000

interface SliceRunProps {
  job: string
  isStaying: boolean
  onEnd: (fileId: number | null) => void
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
      onEnd(fileId)
      return undefined
    }
    const timer = setTimeout(() => void navigate({ to: paths.file(fileId) }), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [data?.status, fileId, isStaying, navigate, onEnd])
  const cancel = () => void cancelSlice(job).finally(() => onEnd(null))
  if (data?.status === 'done')
    return (
      <Dialog onClose={() => onEnd(null)} title={t('done')}>
        <p role="status">{t('redirecting')}</p>
      </Dialog>
    )
  if (isOver)
    return (
      <Dialog onClose={() => onEnd(null)} title={t('error')}>
        <p role="alert">{data.error ?? t(data.status === 'cancelled' ? 'cancelled' : 'hiccups')}</p>
        <DialogButtons>
          <Button onClick={() => onEnd(null)}>{t('close')}</Button>
        </DialogButtons>
      </Dialog>
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

function Progress({ job }: { job: SliceJob | undefined }) {
  const { t } = useTranslation('slicing')
  const waits = job?.status === 'queued' && job.position > 0
  return (
    <div className={styles.progress}>
      <p role="status">{waits ? t('position', { count: job.position }) : t('slicing')}</p>
      <Bar value={(job?.progress ?? 0) * 100} animated aria-label={t('progress')} />
    </div>
  )
}

/** What was sliced, for those who stay: what it prints, and the ways on. */
export function Sliced({ fileId }: { fileId: number }) {
  const { t } = useTranslation('slicing')
  const { data: file } = useQuery(slicedQuery(fileId))
  if (!file) return null
  return (
    <Panel title={<bdi>{file.filename}</bdi>}>
      <Flex wrap="wrap" gap={8}>
        <PrintFile file={file} />
        <AddToQueue file={file} />
        <Button variant="default" renderRoot={(props) => <Link {...props} to={paths.file(file.id)} />}>
          {t('toFile')}
        </Button>
      </Flex>
      {file.url !== null && <GcodeView url={file.url} bedArea={bedAreaOf(file)} />}
    </Panel>
  )
}
