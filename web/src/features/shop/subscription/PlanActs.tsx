import { Alert, Button, Flex } from '@mantine/core'
import { IconFlask, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ActiveSubscription, Subscription } from '@vigil/contract/shop/subscriptions.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverUrl } from '../../../lib/base.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import shared from '../../../ui/shared.module.css'
import { pricingQuery } from '../pricing/index.ts'
import { CancelDialog } from './CancelDialog.tsx'
import { useMoney } from './money.ts'
import { PackDialog } from './PackDialog.tsx'
import { openPortal, type PlanWish, useChangePlan, useResumePlan } from './payments.api.ts'
import { PlanDialog } from './PlanDialog.tsx'
import styles from './Subscription.module.css'
import { useBuy } from './useBuy.tsx'
import { useDay } from './useDay.ts'

type Billed = NonNullable<ActiveSubscription['cb_subscription']>
type Open = 'plan' | 'cancel' | 'packs' | null

/** What can be done about a plan: bought, changed, cancelled, resumed, paid otherwise; hours on top. */
export function PlanActs({ active }: { active: ActiveSubscription }) {
  const { t } = useTranslation('subscription')
  const { data: pricing } = useQuery(pricingQuery)
  const [open, setOpen] = useState<Open>(null)
  const { subscription: plan, cb_subscription: billed } = active
  const close = () => setOpen(null)
  const sells = pricing !== undefined && pricing.checkout !== 'none'
  return (
    <>
      {plan?.state === 'active' && billed?.next && <Planned plan={plan} billed={billed} />}
      <Flex align="center" wrap="wrap" gap={8} mt={16}>
        {sells && (plan === null || FREE.has(plan.state)) && (
          <Button variant="filled" onClick={() => setOpen('plan')}>
            {t('build.buy')}
          </Button>
        )}
        {sells && plan && billed && <BilledActs plan={plan} onOpen={setOpen} />}
        {sells && <Button onClick={() => setOpen('packs')}>{t('packs.button')}</Button>}
        <Button component="a" href={serverUrl(paths.pricing)}>
          {t('prices')}
        </Button>
        <Button component={Link} to={paths.hours}>
          {t('hours')}
        </Button>
        <Button component={Link} to={paths.archived}>
          {t('archived')}
        </Button>
      </Flex>
      {pricing?.checkout === 'none' && <p className={styles.soft}>{t('notSetUp')}</p>}
      {pricing?.checkout === 'sandbox' && (
        <Alert color="warn" icon={<IconFlask size={18} stroke={1.75} />} mt="md">
          {t('sandbox')}
        </Alert>
      )}
      {open === 'plan' && <PlanDialog current={billed && plan ? wishOf(plan) : null} onClose={close} />}
      {open === 'packs' && <PackDialog onClose={close} />}
      {open === 'cancel' && plan && (
        <CancelDialog id={plan.id} until={billed?.current_term_end ?? null} onClose={close} />
      )}
    </>
  )
}

/** Who has nothing that is paid for, by whomever. */
const FREE: ReadonlySet<Subscription['state']> = new Set(['trial', 'complimentary'])

const wishOf = ({ billing_cycle: cycle, printers, dhpack_level }: Subscription): PlanWish => ({
  plan_id: 'pro',
  billing_cycle: cycle ?? 'annual',
  printers,
  dhpack_level,
})

/** Of a plan that is paid for. */
function BilledActs({ plan, onOpen }: { plan: Subscription; onOpen: (open: Open) => void }) {
  const { t } = useTranslation('subscription')
  const problemText = useProblemText()
  const resume = useResumePlan(plan.id)
  const { buy, isPending, problem } = useBuy()
  const said = resume.error ? problemText(problemOf(resume.error)) : problem
  const isOwed = plan.state === 'past_due'
  return (
    <>
      {plan.state === 'active' && (
        <Button variant="filled" onClick={() => onOpen('plan')}>
          {t('build.change')}
        </Button>
      )}
      {plan.state === 'cancelled' && (
        <Button variant="filled" loading={resume.isPending} onClick={() => resume.mutate(undefined)}>
          {t('resume')}
        </Button>
      )}
      <Button variant={isOwed ? 'filled' : 'default'} loading={isPending} onClick={() => buy(openPortal)}>
        {t('portal')}
      </Button>
      {plan.state !== 'cancelled' && <Button onClick={() => onOpen('cancel')}>{t('cancel.button')}</Button>}
      {said && <Said>{said}</Said>}
    </>
  )
}

const Said = ({ children }: { children: ReactNode }) => (
  <p role="alert" className={shared.problem}>
    {children}
  </p>
)

/** What comes with the next bill, and the way back. */
function Planned({ plan, billed }: { plan: Subscription; billed: Billed }) {
  const { t } = useTranslation('subscription')
  const day = useDay()
  const money = useMoney(billed.currency)
  const problemText = useProblemText()
  const keep = useChangePlan()
  const { next } = billed
  if (next === null) return null
  const words = { day: day(next.at), count: next.printers, amount: money(next.total_cents) }
  return (
    <Alert color="accent" icon={<IconInfoCircle size={18} stroke={1.75} />} mt="md">
      {t(`planned.${next.billing_cycle}`, words)}
      <Flex align="center" wrap="wrap" gap={8} mt={16}>
        <Button loading={keep.isPending} onClick={() => keep.mutate(wishOf(plan))}>
          {t('planned.keep')}
        </Button>
      </Flex>
      {keep.error && <Said>{problemText(problemOf(keep.error))}</Said>}
    </Alert>
  )
}
