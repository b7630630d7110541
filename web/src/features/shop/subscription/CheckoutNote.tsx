import { Alert } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { CHECKOUT_REASONS } from '@vigil/contract/shop/payments.ts'
import { useQueryValues } from '../../../lib/address.ts'
import { VerifyDialog } from './useBuy.tsx'

/** A payment that comes later is asked for so often, and so long. */
const AGAIN_MS = 5_000
const TRIES = 24

/** What became of a checkout, for who comes back from its page; of a phone that was led here, why there was none. */
export function CheckoutNote() {
  const { t } = useTranslation('subscription')
  const { checkout, refused } = useQueryValues()
  const [isClosed, setClosed] = useState(false)
  useAgain(checkout === 'open')
  if (refused === 'email_unverified')
    return isClosed ? null : <VerifyDialog onClose={() => setClosed(true)} />
  const reason = CHECKOUT_REASONS.find((one) => one === refused)
  if (reason !== undefined) return <Alert color="bad">{t(`refused.${reason}`)}</Alert>
  const said = (['paid', 'open', 'closed', 'left'] as const).find((one) => one === checkout)
  if (said === undefined) return null
  return (
    <Alert color={said === 'paid' ? 'good' : 'accent'} role="status">
      {t(`came.${said}`)}
    </Alert>
  )
}

/** Looks again for a while whether the plan has begun. */
function useAgain(isWaiting: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isWaiting) return
    let tries = 0
    const timer = setInterval(() => {
      if (++tries >= TRIES) clearInterval(timer)
      void client.invalidateQueries({ queryKey: ['subscription'] })
    }, AGAIN_MS)
    return () => clearInterval(timer)
  }, [client, isWaiting])
}
