import { ActionIcon, Box, Button, Flex } from '@mantine/core'
import { IconPlayerPause, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { percent } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { copiesQuery } from './gcode-files.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Uploads.module.css'
import { dropUpload, type GCodeUpload, pauseUpload, resumeUpload, type UploadState } from './uploads.ts'
import { useBytes } from '../../../ui/useBytes.ts'

/** One file on its way: how far, how fast, how long still; then what became of it. */
export function UploadRow({ upload }: { upload: GCodeUpload }) {
  const { t } = useTranslation('gcode-files')
  const bytes = useBytes()
  const { name, size, state } = upload
  const isOpen = 'sent' in state
  return (
    <li className={styles.upload} aria-label={name} data-state={state.kind}>
      <Flex wrap="wrap" align="baseline" gap="2px 12px">
        <bdi className={styles.name}>
          {state.kind === 'done' ? <Link to={paths.file(state.file.id)}>{name}</Link> : name}
        </bdi>
        <span className={shared.small}>
          {isOpen ? t('upload.of', { sent: bytes(state.sent), all: bytes(size) }) : bytes(size)}
        </span>
        <Box component="span" flex={1} c="dimmed" fz={13} ta="end">
          <Pace state={state} size={size} />
        </Box>
        {isOpen && <strong>{percent((state.sent / Math.max(1, size)) * 100)}</strong>}
      </Flex>
      <div className={styles.bar}>
        {isOpen ? (
          <Bar
            value={(state.sent / Math.max(1, size)) * 100}
            aria-label={t('upload.progress', { name })}
            className={styles.progress}
          />
        ) : (
          <Outcome state={state} />
        )}
        <Acts upload={upload} />
      </div>
    </li>
  )
}

function Acts({ upload: { id, name, state } }: { upload: GCodeUpload }) {
  const { t } = useTranslation('gcode-files')
  const isOver = !('sent' in state) && state.kind !== 'waiting'
  return (
    <>
      {state.kind === 'sending' && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('upload.pause', { name })}
          title={t('upload.pause', { name })}
          onClick={() => pauseUpload(id)}
        >
          <IconPlayerPause size={17} stroke={1.75} />
        </ActionIcon>
      )}
      {(state.kind === 'paused' || state.kind === 'failed') && (
        <Button size="compact-md" onClick={() => resumeUpload(id)}>
          {t(state.kind === 'paused' ? 'upload.resume' : 'upload.again')}
        </Button>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t(isOver ? 'upload.dismiss' : 'upload.cancel', { name })}
        onClick={() => dropUpload(id)}
      >
        <IconX size={17} stroke={1.75} />
      </ActionIcon>
    </>
  )
}

/** `4.2 MB/s · 6 s left`, or why it stands. */
function Pace({ state, size }: { state: UploadState; size: number }) {
  const { t } = useTranslation('gcode-files')
  const { duration } = useTimeText()
  const bytes = useBytes()
  if (state.kind === 'paused') return <>{t('upload.paused')}</>
  if (state.kind === 'held') return <>{t('upload.held')}</>
  if (state.kind !== 'sending') return null
  const { sent, bytesPerSecond } = state
  if (sent >= size) return <>{t('upload.reading')}</>
  if (!bytesPerSecond) return null
  const left = duration(Math.ceil((size - sent) / bytesPerSecond))
  return (
    <>{[t('upload.speed', { size: bytes(bytesPerSecond) }), t('upload.left', { time: left })].join(' · ')}</>
  )
}

function Outcome({ state }: { state: UploadState }) {
  const { t } = useTranslation('gcode-files')
  const text = useProblemText()
  if (state.kind === 'waiting') return <p className={shared.small}>{t('upload.waiting')}</p>
  if (state.kind === 'refused')
    return (
      <p role="alert" className={shared.problem}>
        {t(`upload.refused.${state.why}`)}
      </p>
    )
  if (state.kind === 'failed')
    return (
      <p role="alert" className={shared.problem}>
        {text(state.problem)}
      </p>
    )
  return state.kind === 'done' ? <Done fileId={state.file.id} /> : null
}

/** It is stored; the same content as another is stored once, and that is said. */
function Done({ fileId }: { fileId: number }) {
  const { t } = useTranslation('gcode-files')
  const { data } = useQuery(copiesQuery(fileId))
  const [copy] = data ?? []
  return (
    <p className={shared.small} role="status">
      {copy
        ? t('upload.duplicate', { name: copy.filename, folder: copy.parent_folder?.name ?? t('root') })
        : t('upload.done')}
    </p>
  )
}
