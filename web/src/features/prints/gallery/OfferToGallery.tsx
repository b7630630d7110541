import { Button } from '@mantine/core'
import type { GalleryOffer } from '@vigil/contract/prints/gallery.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { lazyDialog } from '../../../ui/lazily.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import styles from './Gallery.module.css'
import { offerQuery, withdraw } from './offer.api.ts'

const OfferDialog = lazyDialog(async () => (await import('./OfferDialog.tsx')).OfferDialog)

type Offered = Pick<Print, 'id' | 'video_url' | 'tagged_video_url' | 'poster_url' | 'prediction_json_url'>

/** How a print stands with the public gallery, and the way into it and out; in the edition that has a gallery alone. */
export function OfferToGallery({ print }: { print: Offered }) {
  const { settings } = useBootstrap()
  return settings.IS_ENT ? <Offering print={print} /> : null
}

function Offering({ print }: { print: Offered }) {
  const { t } = useTranslation('gallery')
  const { data: standing } = useQuery(offerQuery(print.id))
  const [isOffering, setOffering] = useState(false)
  if (!standing || (standing.state === 'none' && standing.obstacle === 'no_video')) return null
  return (
    <Panel title={t('offer.title')}>
      <p className={styles.lead}>{t(`offer.state.${standing.state}`, { name: standing.creator_name })}</p>
      {standing.reason && (
        <p className={styles.reason}>
          {t('offer.reason')} <q>{standing.reason}</q>
        </p>
      )}
      {standing.state === 'none' && standing.obstacle === 'too_many' && (
        <p className={styles.reason}>{t('offer.tooMany')}</p>
      )}
      <div className={styles.buttons}>
        {standing.obstacle === null && (
          <Button onClick={() => setOffering(true)}>
            {t(standing.state === 'none' ? 'offer.button' : 'offer.rename')}
          </Button>
        )}
        <Withdraw standing={standing} />
      </div>
      {isOffering && <OfferDialog print={print} standing={standing} onClose={() => setOffering(false)} />}
    </Panel>
  )
}

/** Out again, at any time; what the administrators refused is not there to be taken back. */
function Withdraw({ standing }: { standing: GalleryOffer }) {
  const { t } = useTranslation('gallery')
  const client = useQueryClient()
  const problemText = useProblemText()
  const { print_id: id, state } = standing
  const withdrawing = useMutation({
    mutationFn: () => withdraw(id),
    onSuccess: (after) => {
      client.setQueryData(offerQuery(id).queryKey, after)
      toast(t('withdraw.done'), 'done')
    },
    onError: (error) => toast(problemText(problemOf(error)), 'failed'),
  })
  if (state !== 'offered' && state !== 'accepted' && state !== 'public') return null
  async function ask() {
    const sure = await confirm({
      title: t('withdraw.title'),
      text: t('withdraw.text'),
      action: t('withdraw.action'),
    })
    if (sure) withdrawing.mutate()
  }
  return (
    <Button loading={withdrawing.isPending} onClick={() => void ask()}>
      {t('withdraw.button')}
    </Button>
  )
}
