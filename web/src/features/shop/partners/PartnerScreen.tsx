import { Center, Loader } from '@mantine/core'
import { IconTicketOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { usePlace, useQueryValues } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { useSupport } from '../../../lib/usePlaces.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { NoSuchPage } from '../../../ui/NoSuchPage.tsx'
import { PlaceLink } from '../../../ui/PlaceLink.tsx'
import { PublicFrame } from '../../../ui/PublicFrame.tsx'
import { usePricing } from '../pricing/index.ts'
import { activeQuery } from '../subscription/index.ts'
import { OfferPage } from './OfferPage.tsx'
import { partnerQuery } from './partners.api.ts'

/** Where a partner's customers redeem their code: one page for all partners, what differs is data. */
export default function PartnerScreen() {
  const { user } = useBootstrap()
  return user ? (
    <Partner />
  ) : (
    <PublicFrame>
      <Partner />
    </PublicFrame>
  )
}

function Partner() {
  const { t } = useTranslation('partners')
  const { user, settings } = useBootstrap()
  const { coupon_code: code = '' } = useQueryValues()
  const partner = useQuery({ ...partnerQuery(usePlace('partner') ?? '', code), enabled: settings.IS_ENT })
  const active = useQuery({ ...activeQuery, enabled: settings.IS_ENT && user !== null })
  const prices = usePricing()
  const problem = [partner, active, prices]
    .map(({ error }) => (error ? problemOf(error) : null))
    .find(Boolean)
  useTitle(partner.data ? t('title', { partner: partner.data.display_name }) : '')
  // The general edition has no partners; and nobody knows this one.
  if (!settings.IS_ENT || problem?.kind === 'missing') return <NoSuchPage />
  if (problem)
    return (
      <Failed
        whole
        title={t('failed')}
        problem={problem}
        onRetry={() => void Promise.all([partner.refetch(), active.refetch(), prices.refetch()])}
      />
    )
  if (!partner.data || !prices.data || (user && !active.data))
    return (
      <Center mih={320} role="status" aria-label={t('loading')}>
        <Loader />
      </Center>
    )
  if (partner.data.offer === null) return <Invalid />
  const planId = active.data?.subscription?.plan_id ?? null
  return (
    <OfferPage
      partner={partner.data}
      offer={partner.data.offer}
      code={code}
      prices={prices.data}
      isFree={planId === null || planId === 'pro-trial'}
    />
  )
}

function Invalid() {
  const { t } = useTranslation('partners')
  const support = useSupport()
  return (
    <Notice whole picture={<IconTicketOff size={40} stroke={1.25} />} title={t('invalid')}>
      {t('invalidText')} {support && <PlaceLink place={support}>{t('contact')}</PlaceLink>}
    </Notice>
  )
}
