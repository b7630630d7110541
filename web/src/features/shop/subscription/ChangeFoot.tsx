import { Button, Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { PlanChange } from '@vigil/contract/shop/payments.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { DialogButtons } from '../../../ui/Dialog.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import shared from '../../../ui/shared.module.css'
import { useMoney } from './money.ts'
import { type PlanWish, useChangePlan, usePreview } from './payments.api.ts'
import styles from './Subscription.module.css'
import { useDay } from './useDay.ts'

/** Asked once somebody has chosen, not at each key. */
const SETTLED_MS = 400

interface ChangeFootProps {
  wish: PlanWish
  current: PlanWish
  onClose: () => void
}

/** What a change comes to, to the cent, before anybody agrees. */
export function ChangeFoot({ wish, current, onClose }: ChangeFootProps) {
  const { t } = useTranslation('subscription')
  const problemText = useProblemText()
  const isOther =
    wish.billing_cycle !== current.billing_cycle ||
    wish.printers !== current.printers ||
    wish.dhpack_level !== current.dhpack_level
  const [settled] = useDebouncedValue(wish, SETTLED_MS)
  const isSettled = settled === wish
  const shown = usePreview(settled, isOther && isSettled)
  const change = useChangePlan()
  const error = change.error ?? shown.error
  const agree = () =>
    change.mutate(
      { ...wish, ...(shown.data && { agreed_at: shown.data.agreed_at }) },
      {
        onSuccess: () => {
          toast(t('changed'), 'done')
          onClose()
        },
      },
    )
  return (
    <>
      <div className={styles.due} aria-live="polite" aria-busy={shown.isFetching || !isSettled}>
        {!isOther && <p className={shared.soft}>{t('change.same')}</p>}
        {isOther && shown.data && !shown.error && (
          <Due change={shown.data} hasOtherPack={settled.dhpack_level !== current.dhpack_level} />
        )}
        {isOther && !shown.data && !shown.error && <Loader size="sm" />}
      </div>
      {error && (
        <p role="alert" className={shared.problem}>
          {problemText(problemOf(error))}
        </p>
      )}
      <DialogButtons>
        <Button onClick={onClose}>{t('build.back')}</Button>
        <Button
          variant="filled"
          disabled={!isOther || !isSettled || !shown.data || shown.isPlaceholderData || shown.error !== null}
          loading={change.isPending}
          onClick={agree}
        >
          {t('change.agree')}
        </Button>
      </DialogButtons>
    </>
  )
}

function Due({ change, hasOtherPack }: { change: PlanChange; hasOtherPack: boolean }) {
  const { t } = useTranslation('subscription')
  const money = useMoney(change.currency)
  const day = useDay()
  const isLater = change.from === 'renewal'
  return (
    <>
      {isLater && <p>{t('change.later', { day: day(change.starts_at) })}</p>}
      {!isLater && hasOtherPack && <p>{t('change.hours')}</p>}
      <Facts
        rows={[
          ...change.lines.map(({ what, cents }) => [what, money(cents)] as const),
          [t('change.tax'), change.tax_cents > 0 ? money(change.tax_cents) : null],
          [t('change.now'), isLater ? null : <strong key="now">{money(change.due_now_cents)}</strong>],
          [
            change.next_billing_at === null
              ? t('change.next')
              : t('change.nextOn', { day: day(change.next_billing_at) }),
            money(change.next_total_cents),
          ],
        ]}
      />
    </>
  )
}
