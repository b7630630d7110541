import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { redeemOffer, type PartnerOffer } from '@vigil/contract/shop/coupons.ts'
import { getProCheckout } from '@vigil/contract/shop/payments.ts'
import { type ReactNode, useCallback } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { call } from '../../../lib/call.ts'
import { type Problem, problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { bootstrapQuery } from '../../../lib/session.ts'
import { useSupport } from '../../../lib/usePlaces.ts'
import { ask } from '../../../ui/confirm.tsx'
import { PlaceLink } from '../../../ui/PlaceLink.tsx'
import { useErrorDialog } from '../../../ui/useErrorDialog.tsx'

interface Wanted {
  offer: PartnerOffer
  code: string
  isFree: boolean
}

/** Why something was refused, in a word. */
const reasonOf = (problem: Problem): string | undefined =>
  problem.kind === 'fields'
    ? problem.fields['reason']
    : problem.kind === 'server' || problem.kind === 'forbidden'
      ? problem.reason
      : undefined

/** Redeems a code: for a plan at once, or on the way to pay for one. Says what came of it. */
export function useRedeem({ offer, code, isFree }: Wanted): { redeem: () => void; isPending: boolean } {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [hasPlan, notRedeemed, noCheckout] = [useHasPlan(), useNotRedeemed(), useNoCheckout()]
  const given = useMutation({
    mutationFn: () => call(redeemOffer, { params: { offer: offer.offer }, body: { coupon_code: code } }),
    onSuccess: async () => {
      await client.refetchQueries({ queryKey: bootstrapQuery.queryKey })
      await client.invalidateQueries({ queryKey: ['subscription'] })
      await navigate({ to: paths.redeemed })
    },
    onError: (error) => notRedeemed(problemOf(error)),
  })
  const bought = useMutation({
    mutationFn: () =>
      call(getProCheckout, {
        query: { plan: 'pro', annual: true, printers: 1, dhpack_level: '0', coupon: code },
      }),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => noCheckout(problemOf(error)),
  })
  const { mutate: give, isPending: isGiven } = given
  const { mutate: buy, isPending: isBought } = bought
  const redeem = useCallback(() => {
    if (!isFree) hasPlan()
    else if (offer.by === 'code') give()
    else buy()
  }, [isFree, offer.by, hasPlan, give, buy])
  return { redeem, isPending: isGiven || isBought }
}

/** A dialog that says something, and asks for nothing. */
function useSay() {
  const { t } = useTranslation('partners')
  return useCallback(
    (title: string, text: ReactNode) =>
      void ask({ title, text: <div role="alert">{text}</div>, choices: [], dismiss: t('close') }),
    [t],
  )
}

/** Who has a plan is told so, with the way to it. */
function useHasPlan() {
  const { t } = useTranslation('partners')
  const say = useSay()
  return useCallback(
    () =>
      say(
        t('hasPlan.title'),
        <>
          {t('hasPlan.text')} <Link to={paths.subscription}>{t('hasPlan.see')}</Link>
        </>,
      ),
    [say, t],
  )
}

/** The invitation to write to support, at the end of a sentence. */
function useContact(): ReactNode {
  const { t } = useTranslation('partners')
  const support = useSupport()
  return support ? <PlaceLink place={support}>{t('contact')}</PlaceLink> : t('contact')
}

/** Says why a code was not redeemed, in the words of docs/rules/plans.md 5. */
function useNotRedeemed(): (problem: Problem) => void {
  const { t } = useTranslation('partners')
  const failed = useErrorDialog()
  const [say, hasPlan, contact] = [useSay(), useHasPlan(), useContact()]
  return (problem) => {
    const reason = reasonOf(problem)
    if (reason === 'not_in_pro_trial.') hasPlan()
    else if (reason === 'already_redeemed')
      say(
        t('already.title'),
        <>
          {t('already.text')} {contact}
        </>,
      )
    else failed(t('notRedeemed'))
  }
}

/** Says why there is no checkout. */
function useNoCheckout(): (problem: Problem) => void {
  const { t } = useTranslation('partners')
  const [say, hasPlan, contact] = [useSay(), useHasPlan(), useContact()]
  return (problem) => {
    const reason = reasonOf(problem)
    if (reason === 'already_subscribed') hasPlan()
    else if (reason === 'not_set_up') say(t('oops'), t('notSetUp'))
    else if (reason === 'email_unverified')
      say(
        t('unverified.title'),
        <>
          {t('unverified.text')} <Link to={paths.emails}>{t('unverified.see')}</Link>
        </>,
      )
    else
      say(
        t('oops'),
        <>
          {t(reason === 'invalid_coupon' ? 'invalidCode' : 'wentWrong')} {contact}
        </>,
      )
  }
}
