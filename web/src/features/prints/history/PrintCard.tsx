import { Box, Stack, UnstyledButton } from '@mantine/core'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { Link } from '@tanstack/react-router'
import { memo, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { lazily } from '../../../ui/lazily.tsx'
import { PictureTag } from '../../../ui/PictureTag.tsx'
import { Thumbs } from '../../../ui/Thumbs.tsx'
import styles from './History.module.css'
import { Poster } from './Poster.tsx'
import { type EntryProps, Select } from './PrintRow.tsx'
import { Result, Told } from './Result.tsx'
import { usePrintText } from './useTexts.ts'

const CardPlayer = lazily(async () => (await import('./CardPlayer.tsx')).CardPlayer)

/** A print as a card that plays its time-lapse in place. */
export const PrintCard = memo(function PrintCard({ entry, selected, meant, onSelect, onAnswer }: EntryProps) {
  const { t } = useTranslation('history')
  const text = usePrintText()
  const [playing, setPlaying] = useState(false)
  const { print, index } = entry
  const at = ms(print.ended_at ?? print.uploaded_at)
  const facts = [text.took(print), text.used(print), print.printer?.name ?? t('row.uploaded')]
  return (
    <article className={styles.card} data-selected={selected || undefined} data-meant={meant || undefined}>
      {playing ? <CardPlayer print={print} /> : <Cover print={print} onPlay={() => setPlaying(true)} />}
      <Select entry={entry} selected={selected} onSelect={onSelect} />
      <Stack gap={6} p="12px 14px 10px">
        <div className={styles.cardHead}>
          <Link to={paths.print(print.id)} search={{ index: String(index) }}>
            {print.filename}
          </Link>
          <Result print={print} />
        </div>
        <p className={styles.facts}>
          {at !== null && (
            <time dateTime={new Date(at).toISOString()} title={text.date(at)}>
              {text.when(at)}
            </time>
          )}
          {facts.filter(Boolean).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        <div className={styles.cardFoot}>
          <Told print={print} />
          <Thumbs small print={print} onAnswer={(verdict) => onAnswer(print.id, verdict)} />
        </div>
      </Stack>
    </article>
  )
})

/** The picture, and what there is to play. */
function Cover({ print, onPlay }: { print: Print; onPlay: () => void }) {
  const { t } = useTranslation('history')
  if (print.video_url ?? print.tagged_video_url)
    return (
      <UnstyledButton
        className={styles.cover}
        aria-label={t('card.play', { name: print.filename })}
        onClick={onPlay}
      >
        <Poster print={print} />
        <span className={styles.play}>
          <IconPlayerPlayFilled size={22} aria-hidden />
        </span>
      </UnstyledButton>
    )
  return (
    <div className={styles.cover}>
      <Poster print={print} />
      <Box component="span" pos="absolute" right={10} bottom={10}>
        <PictureTag>{t(print.video_archived_at === null ? 'card.none' : 'card.archived')}</PictureTag>
      </Box>
    </div>
  )
}
