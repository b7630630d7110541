import { Alert, Button, Checkbox, TextInput } from '@mantine/core'
import type { GalleryOffer } from '@vigil/contract/prints/gallery.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useUser } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { Player } from '../../../player/index.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './Gallery.module.css'
import { scoresQuery } from './gallery.api.ts'
import { offer, offerQuery } from './offer.api.ts'

const LONGEST = 60

interface OfferDialogProps {
  print: Pick<Print, 'id' | 'video_url' | 'tagged_video_url' | 'poster_url' | 'prediction_json_url'>
  standing: GalleryOffer
  onClose: () => void
}

/** What would become public, as everybody would see it; the owner names its creator and agrees. */
export function OfferDialog({ print, standing, onClose }: OfferDialogProps) {
  const { t } = useTranslation('gallery')
  const client = useQueryClient()
  const problemText = useProblemText()
  const { first_name: firstName } = useUser()
  const [name, setName] = useState(standing.creator_name ?? firstName)
  const [agrees, setAgrees] = useState(false)
  const { data: predictions } = useQuery(scoresQuery(print.prediction_json_url))
  const offering = useMutation({
    mutationFn: () => offer(print.id, name),
    onSuccess: (after) => {
      client.setQueryData(offerQuery(print.id).queryKey, after)
      toast(t('offer.done'), 'done')
      onClose()
    },
  })
  const problem = offering.error ? problemOf(offering.error) : null
  const wrongName = problem?.kind === 'fields' ? problem.fields['creator_name'] : undefined
  return (
    <Dialog size={760} title={t('offer.dialog')} onClose={onClose}>
      <form
        className={shared.parts}
        onSubmit={(event) => {
          event.preventDefault()
          offering.mutate()
        }}
      >
        <TextInput
          label={t('offer.name')}
          description={t('offer.nameHint')}
          value={name}
          maxLength={LONGEST}
          error={wrongName}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <section aria-label={t('offer.preview')} className={styles.preview}>
          <h3>{t('offer.preview')}</h3>
          <Player
            name={t('by', { name })}
            title={t('by', { name: name.trim() || '…' })}
            videoUrl={print.tagged_video_url ?? print.video_url}
            posterUrl={print.poster_url}
            {...(predictions && { predictions })}
            canDownload={false}
          />
        </section>
        <p className={styles.lead}>{t('offer.what')}</p>
        <Checkbox
          label={t('offer.consent')}
          checked={agrees}
          onChange={(event) => setAgrees(event.currentTarget.checked)}
        />
        {problem && wrongName === undefined && (
          <Alert color="bad" role="alert">
            {problemText(problem)}
          </Alert>
        )}
        <DialogButtons>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            type="submit"
            variant="filled"
            disabled={!agrees || name.trim() === ''}
            loading={offering.isPending}
          >
            {t('offer.action')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
