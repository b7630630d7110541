import type { Partner, PartnerOffer } from '@vigil/contract/shop/coupons.ts'
import type { Pricing } from '@vigil/contract/shop/subscriptions.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useBytes } from '../../../ui/useBytes.ts'

interface Told {
  partner: Partner
  offer: PartnerOffer
  prices: Pricing
}

/** What a partner's page says of its offer, in the figures of the plans. */
export function useOfferTexts(told: Told) {
  const { t } = useTranslation('partners')
  const { display_name: brand } = useBootstrap().page_context.syndicate
  const { partner, offer, prices } = told
  const { months, first_percent_off: first, renewal_percent_off: later } = offer
  const known = {
    partner: partner.display_name,
    brand,
    plan: prices.label,
    count: months,
    first,
    later,
    days: prices.refund_days,
  }
  const kind = offer.by === 'code' ? 'given' : first === 100 ? 'freeYear' : 'cheaper'
  return {
    from: t('from', known),
    title: t(`hero.${kind}`, known),
    lead: t('lead', known),
    note: t(`note.${kind}`, known),
    gains: useGains(prices),
    questions: [
      { ask: t('ask.who', known), answer: t('answer.who', known) },
      { ask: t('ask.after', known), answer: t(`answer.after.${kind}`, known) },
      { ask: t('ask.hours', known), answer: t('answer.hours', known) },
      { ask: t('ask.again', known), answer: t('answer.again', known) },
    ],
  }
}

function useGains({ limits: { pro } }: Pricing): string[] {
  const { t } = useTranslation('partners')
  const bytes = useBytes()
  const { stream_fps: fps, stream_cycle_seconds: seconds, hours_per_month: hours } = pro
  const { tunnel_bytes: tunnel, g_code_storage_bytes: storage } = pro
  return [
    t(seconds === null ? 'gain.streaming' : 'gain.streamingCycle', { fps, seconds }),
    t('gain.detection', { seconds: pro.detection_interval_seconds }),
    t('gain.firstLayer'),
    t('gain.hours', { hours }),
    storage === null ? t('gain.storageAll') : t('gain.storage', { storage: bytes(storage) }),
    tunnel === null ? t('gain.tunnel') : t('gain.tunnelCap', { carried: bytes(tunnel) }),
    ...(pro.sms ? [t('gain.sms')] : []),
    ...(pro.sharing ? [t('gain.sharing')] : []),
  ]
}
