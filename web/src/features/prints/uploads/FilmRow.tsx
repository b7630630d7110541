import { ActionIcon, Box, Button, Group, NumberInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from '../../../lib/translation.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import styles from './Uploads.module.css'
import type { Film } from './useFilms.ts'
import shared from '../../../ui/shared.module.css'

interface FilmRowProps {
  film: Film
  onLasted: (seconds: number | null) => void
  onStart: () => void
  onDrop: () => void
}

/** A film that was chosen: the question, then how far it is. */
export function FilmRow({ film, onLasted, onStart, onDrop }: FilmRowProps) {
  const { t } = useTranslation('uploads')
  const bytes = useBytes()
  const problemText = useProblemText()
  const { file, progress } = film
  return (
    <section className={styles.film} aria-label={file.name}>
      <Group gap={12} wrap="nowrap">
        <Box component="span" className={shared.fits} flex={1} fw={550}>
          {file.name}
        </Box>
        <span className={styles.soft}>{bytes(file.size)}</span>
        {progress.kind !== 'done' && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('remove', { name: file.name })}
            onClick={onDrop}
          >
            <IconX size={18} stroke={1.75} />
          </ActionIcon>
        )}
      </Group>
      {progress.kind === 'chosen' && <Question name={file.name} onLasted={onLasted} />}
      {progress.kind === 'sending' && <Sending size={file.size} {...progress} />}
      {progress.kind === 'refused' && (
        <Box component="p" role="alert" c="var(--mantine-color-error)" fz={14}>
          {t('kinds')}
        </Box>
      )}
      {progress.kind === 'failed' && (
        <Group gap={12}>
          <Box component="p" role="alert" c="var(--mantine-color-error)" fz={14}>
            {progress.problem.kind === 'throttled' ? t('tooMany') : problemText(progress.problem)}
          </Box>
          <Button size="xs" variant="default" onClick={onStart}>
            {t('again')}
          </Button>
        </Group>
      )}
      {progress.kind === 'done' && <p className={styles.soft}>{t('sent')}</p>}
    </section>
  )
}

/** How long did it print? Hours and minutes; both empty: not known. */
function Question({ name, onLasted }: { name: string; onLasted: (seconds: number | null) => void }) {
  const { t } = useTranslation('uploads')
  const tell = (event: { currentTarget: HTMLElement }) => {
    const [hours = 0, minutes = 0] = [...event.currentTarget.querySelectorAll('input')].map(({ value }) =>
      Number(value),
    )
    const seconds = hours * 3600 + minutes * 60
    onLasted(seconds > 0 ? seconds : null)
  }
  return (
    <fieldset className={styles.question} onInput={tell} onBlur={tell}>
      <legend>{t('lasted')}</legend>
      <NumberInput min={0} max={1000} hideControls label={t('hours')} aria-label={t('hoursOf', { name })} />
      <NumberInput min={0} max={59} hideControls label={t('minutes')} aria-label={t('minutesOf', { name })} />
      <p className={styles.soft}>{t('lastedWhy')}</p>
    </fieldset>
  )
}

function Sending({
  size,
  sent,
  bytesPerSecond,
}: {
  size: number
  sent: number
  bytesPerSecond: number | null
}) {
  const { t } = useTranslation('uploads')
  const bytes = useBytes()
  const { duration } = useTimeText()
  const share = Math.min(1, sent / Math.max(1, size))
  const left = bytesPerSecond ? (size - sent) / bytesPerSecond : null
  return (
    <>
      <Bar value={share * 100} aria-label={t('progress')} />
      <p className={styles.soft}>
        {t('sending', { percent: Math.round(share * 100) })}
        {bytesPerSecond !== null && ` · ${t('speed', { size: bytes(bytesPerSecond) })}`}
        {left !== null && ` · ${t('left', { time: duration(Math.ceil(left)) })}`}
      </p>
    </>
  )
}
