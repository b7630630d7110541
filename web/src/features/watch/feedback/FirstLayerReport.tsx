import { Box, Group, SegmentedControl, Stack } from '@mantine/core'
import type { FirstLayerInspection, LayerGrade } from '@vigil/contract/watch/first-layer.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './FirstLayer.module.css'
import { remarkOf } from './labels.ts'
import { Picture } from './Picture.tsx'
import { type DotState, Slides } from './Slides.tsx'

/** The letter of a grade, large; a dash where there is none. */
function Grade({ grade }: { grade: LayerGrade | null }) {
  const { t } = useTranslation('feedback')
  return (
    <div
      className={styles.grade}
      data-grade={grade ?? undefined}
      role="img"
      aria-label={grade ? t('layer.gradeIs', { grade }) : t('layer.gradeNone')}
    >
      {grade ?? '–'}
    </div>
  )
}

/** What a first layer was judged to be: grade, what that means, score. */
export function Judged({ layer: { grade, score } }: { layer: FirstLayerInspection }) {
  const { t } = useTranslation('feedback')
  return (
    <Group gap={14} wrap="nowrap">
      <Grade grade={grade} />
      <div>
        <Box fw={600}>
          {t(`layer.grade.${grade ?? 'none'}.title`)}
          {score !== null && ` · ${t('layer.score', { score: Math.round(score) })}`}
        </Box>
        <Box component="p" mt={2} fz={13} c="dimmed">
          {t(`layer.grade.${grade ?? 'none'}.remark`)}
        </Box>
      </div>
    </Group>
  )
}

interface ReportProps {
  layer: FirstLayerInspection
  onClose: () => void
}

/** A first layer's report: its grade with what that means and what may help, the film of it, the pictures one by one. */
export function FirstLayerReport({ layer, onClose }: ReportProps) {
  const { t } = useTranslation('feedback')
  const { grade, images } = layer
  const film = layer.tagged_video_url ?? layer.video_url
  const [tab, setTab] = useState<'pictures' | 'film'>('pictures')
  const suggestions = t(`layer.grade.${grade ?? 'none'}.suggestions`, { returnObjects: true })
  return (
    <Dialog title={t('layer.report')} size={680} onClose={onClose}>
      <div className={shared.parts}>
        <Judged layer={layer} />
        <div>
          <Box component="h3" mb={6} fz={14} fw={600}>
            {t('layer.suggestions')}
          </Box>
          <Stack component="ul" gap={4} m={0} pl={20}>
            {suggestions.map((suggestion) => (
              <li key={suggestion}>{suggestion}</li>
            ))}
          </Stack>
        </div>
        {film && images.length > 0 && (
          <SegmentedControl
            fullWidth
            aria-label={t('layer.show')}
            value={tab}
            onChange={setTab}
            data={[
              { value: 'pictures', label: t('layer.tabPictures') },
              { value: 'film', label: t('layer.tabFilm') },
            ]}
          />
        )}
        {film && (tab === 'film' || images.length === 0) ? (
          <video
            className={styles.film}
            src={film}
            poster={layer.poster_url ?? undefined}
            controls
            playsInline
            preload="metadata"
            aria-label={t('layer.tabFilm')}
          />
        ) : (
          <Pictures images={images} />
        )}
        <p className={shared.small}>{t('layer.beta')}</p>
      </div>
    </Dialog>
  )
}

function Pictures({ images }: Pick<FirstLayerInspection, 'images'>) {
  const { t } = useTranslation('feedback')
  const [at, setAt] = useState(0)
  const [seen, setSeen] = useState<ReadonlySet<number>>(() => new Set([0]))
  const image = images[at]
  if (!image)
    return (
      <Box component="p" mt={2} fz={13} c="dimmed">
        {t('layer.noPictures')}
      </Box>
    )
  const said = remarkOf(image, t)
  return (
    <Slides
      label={t('layer.tabPictures')}
      dots={images.map((_, place): DotState => (seen.has(place) ? 'visited' : 'open'))}
      at={at}
      inDialog
      onGo={(to) => {
        setAt(to)
        setSeen((before) => new Set(before).add(to))
      }}
    >
      <Picture
        key={image.id}
        src={image.image_url}
        alt={t('layer.pictureAlt', { number: at + 1, seen: said })}
      />
      <Box component="p" fz={13} c="dimmed" ta="center">
        {t('place', { number: at + 1, count: images.length })} ·{' '}
        {t(image.answer === null ? 'layer.modelSaw' : 'layer.youSaw', { seen: said })}
      </Box>
    </Slides>
  )
}
