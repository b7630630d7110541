import { Button, NumberInput, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { GalleryEntry } from '@vigil/contract/prints/gallery.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { lazyDialog } from '../../../ui/lazily.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { FilmCard } from './FilmCard.tsx'
import { decide, entriesKey } from './gallery.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Gallery.module.css'

const FilmDialog = lazyDialog(async () => (await import('./FilmDialog.tsx')).FilmDialog)
const HIGHEST = 1000

type Change = Parameters<typeof decide>[1]

function useDecide({ id }: GalleryEntry) {
  const client = useQueryClient()
  const problemText = useProblemText()
  return useMutation({
    mutationFn: (change: Change) => decide(id, change),
    onError: (error) => toast(problemText(problemOf(error)), 'failed'),
    // Whatever came of it: somebody else may have decided, or its owner withdrawn.
    onSettled: () => client.invalidateQueries({ queryKey: entriesKey }),
  })
}

/** An offered time-lapse: looked at, decided on, moved. */
export function EntryCard({ entry }: { entry: GalleryEntry }) {
  const { t } = useTranslation('gallery')
  const [isPlayed, setPlayed] = useState(false)
  const [asked, ask] = useState<'refuse' | 'take_down' | null>(null)
  const deciding = useDecide(entry)
  const { state } = entry
  return (
    <>
      <FilmCard
        posterUrl={entry.poster_url}
        videoUrl={entry.video_url}
        label={t('play', { name: entry.creator_name })}
        onPlay={() => setPlayed(true)}
      >
        <p className={styles.by}>{t('by', { name: entry.creator_name })}</p>
        <Facts entry={entry} />
        {state === 'public' && (
          <Priority entry={entry} onChange={(priority) => deciding.mutate({ priority })} />
        )}
        <Decisions entry={entry} deciding={deciding} onAsk={ask} />
      </FilmCard>
      {isPlayed && entry.video_url && (
        <FilmDialog
          creatorName={entry.creator_name}
          videoUrl={entry.video_url}
          posterUrl={entry.poster_url}
          scoresUrl={entry.prediction_json_url}
          onClose={() => setPlayed(false)}
        />
      )}
      {asked && (
        <ReasonDialog
          decision={asked}
          name={entry.creator_name}
          onClose={() => ask(null)}
          onReason={(reason) => {
            deciding.mutate({ decision: asked, reason })
            ask(null)
          }}
        />
      )}
    </>
  )
}

/** When it was offered and decided, why, and what stands in its way. */
function Facts({ entry }: { entry: GalleryEntry }) {
  const { t } = useTranslation('gallery')
  const { moment } = useTimeText()
  const at = (timestamp: string | null) => moment(ms(timestamp) ?? 0)
  return (
    <div className={styles.facts}>
      <p>{t('moderation.offered', { when: at(entry.offered_at) })}</p>
      {entry.public_at && <p>{t('moderation.shown', { when: at(entry.public_at) })}</p>}
      {entry.reason && <q>{entry.reason}</q>}
      {entry.state === 'accepted' && !entry.problem && <p role="status">{t('moderation.copying')}</p>}
      {entry.problem && (
        <p role="alert" className={shared.bad}>
          {t(entry.problem === 'missing' ? 'moderation.noFfmpeg' : 'moderation.notCopied')}
        </p>
      )}
      {!entry.video_url && <p className={shared.bad}>{t('moderation.noFilm')}</p>}
    </div>
  )
}

function Priority({ entry, onChange }: { entry: GalleryEntry; onChange: (priority: number) => void }) {
  const { t } = useTranslation('gallery')
  const [value, setValue] = useState(entry.priority)
  return (
    <NumberInput
      label={t('moderation.priority')}
      description={t('moderation.priorityHint')}
      value={value}
      min={0}
      max={HIGHEST}
      allowDecimal={false}
      onChange={(next) => setValue(Number(next))}
      onBlur={() => value !== entry.priority && onChange(value)}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  )
}

interface ReasonDialogProps {
  decision: 'refuse' | 'take_down'
  name: string
  onReason: (reason: string) => void
  onClose: () => void
}

/** Why not: the owner reads it. */
function ReasonDialog({ decision, name, onReason, onClose }: ReasonDialogProps) {
  const { t } = useTranslation('gallery')
  const [reason, setReason] = useState('')
  return (
    <Dialog title={t(`reason.${decision}`, { name })} onClose={onClose}>
      <form
        className={shared.parts}
        onSubmit={(event) => {
          event.preventDefault()
          onReason(reason.trim())
        }}
      >
        <Textarea
          label={t('reason.label')}
          description={t('reason.hint')}
          autosize
          minRows={3}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
        />
        <DialogButtons>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" color="bad" disabled={reason.trim() === ''}>
            {t(`reason.action.${decision}`)}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

interface DecisionsProps {
  readonly entry: GalleryEntry
  readonly deciding: ReturnType<typeof useDecide>
  readonly onAsk: (decision: 'refuse' | 'take_down') => void
}

function Decisions({ entry, deciding, onAsk }: DecisionsProps) {
  const { t } = useTranslation('gallery')
  const { state } = entry
  return (
    <div className={styles.buttons}>
      {(state !== 'public' && state !== 'accepted') || entry.problem ? (
        <Button
          variant={state === 'offered' ? 'filled' : 'default'}
          disabled={!entry.video_url}
          loading={deciding.isPending}
          onClick={() => deciding.mutate({ decision: 'accept', version: entry.version })}
        >
          {t(entry.problem ? 'moderation.again' : 'moderation.accept')}
        </Button>
      ) : null}
      {(state === 'offered' || state === 'accepted') && (
        <Button onClick={() => onAsk('refuse')}>{t('moderation.refuse')}</Button>
      )}
      {state === 'public' && <Button onClick={() => onAsk('take_down')}>{t('moderation.takeDown')}</Button>}
    </div>
  )
}
