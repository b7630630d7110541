import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../../lib/session.ts'
import { useSupport } from '../../../lib/usePlaces.ts'
import { ask } from '../../../ui/confirm.tsx'
import { PlaceLink } from '../../../ui/PlaceLink.tsx'

/** Why a video is gone, and what a subscriber can do so that the next one stays. */
export function Why() {
  const { t } = useTranslation('print-page')
  const { is_pro: isPro } = useUser()
  const support = useSupport()
  const keep = isPro && (
    <> {support ? <PlaceLink place={support}>{t('lapse.why.keep')}</PlaceLink> : t('lapse.why.keep')}</>
  )
  const tell = () =>
    void ask({
      title: t('lapse.why.title'),
      text: (
        <p>
          {t('lapse.why.text')}
          {keep}
        </p>
      ),
      choices: [],
      dismiss: t('close', { ns: 'common' }),
    })
  return <Button onClick={tell}>{t('lapse.why.action')}</Button>
}
