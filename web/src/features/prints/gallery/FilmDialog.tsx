import { Alert, Box } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { Player, scoresOf } from '../../../player/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { scoresQuery } from './gallery.api.ts'

/** From this score on the banner is shown (docs/rules/pages.md 8). */
const BANNER_ABOVE = 0.4

interface FilmDialogProps {
  creatorName: string
  videoUrl: string
  posterUrl: string | null
  scoresUrl: string | null
  onClose: () => void
  /** Below the film. */
  children?: ReactNode
}

/** One time-lapse over the whole screen, with the gauge in step and under the name of its creator alone. */
export function FilmDialog({
  creatorName,
  videoUrl,
  posterUrl,
  scoresUrl,
  onClose,
  children,
}: FilmDialogProps) {
  const { t } = useTranslation('gallery')
  const { data: predictions } = useQuery(scoresQuery(scoresUrl))
  const by = t('by', { name: creatorName })
  return (
    <Dialog fullScreen title={by} onClose={onClose} transitionProps={{ duration: 0 }}>
      <Box maw={1180} m="0 auto">
        {predictions ? (
          <Film name={by} {...{ videoUrl, posterUrl, predictions }} />
        ) : (
          <Box aria-busy="true" mih="60dvh" />
        )}
        {children}
      </Box>
    </Dialog>
  )
}

interface FilmProps {
  name: string
  videoUrl: string
  posterUrl: string | null
  predictions: readonly unknown[]
}

/** The player, and the warning while the picture that it shows looks like a failure. */
function Film({ name, videoUrl, posterUrl, predictions }: FilmProps) {
  const { t } = useTranslation('gallery')
  const scores = useMemo(() => scoresOf(predictions), [predictions])
  const [isFailing, setFailing] = useState(false)
  const onPosition = useCallback(
    (position: number) => {
      const at = Math.min(scores.length - 1, Math.max(0, Math.round(scores.length * position)))
      setFailing((scores[at] ?? 0) > BANNER_ABOVE)
    },
    [scores],
  )
  return (
    <>
      <Box role="status" mih={54}>
        {isFailing && (
          <Alert color="bad" icon={<IconAlertTriangle size={18} stroke={1.75} />}>
            {t('possibleFailure')}
          </Alert>
        )}
      </Box>
      <Player {...{ name, videoUrl, posterUrl, predictions, onPosition }} canDownload={false} />
    </>
  )
}
