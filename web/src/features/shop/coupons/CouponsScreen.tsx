import { Box, Button, Skeleton, TextInput } from '@mantine/core'
import { IconTicket } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { HourCoupon } from '@vigil/contract/shop/coupons.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { type Problem, problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { toast } from '../../../lib/toast.ts'
import { Failed, Notice, useProblemText } from '../../../ui/Notice.tsx'
import { NoSuchPage } from '../../../ui/NoSuchPage.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { useTimeText } from '../../../ui/time.tsx'
import styles from './Coupons.module.css'
import { couponsQuery, useRedeemHours } from './coupons.api.ts'

/** Codes for hours: one is redeemed here, and those that were stand here. */
export default function CouponsScreen() {
  const { settings } = useBootstrap()
  return settings.IS_ENT ? <Screen /> : <NoSuchPage />
}

function Screen() {
  const { t } = useTranslation('coupons')
  const { t: common } = useTranslation('common')
  const { data, error, refetch } = useQuery(couponsQuery)
  const last = data?.find(({ redeemed_at: at }) => at !== null)
  useTitle(t('title'))
  return (
    <div className={shared.page} aria-busy={!data && !error}>
      <PageHeader
        back={{ to: paths.preferences, label: common('back') }}
        title={t('title')}
        note={t('lead')}
      />
      <Panel>
        <RedeemForm />
      </Panel>
      {error && <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} />}
      {last && (
        <Panel title={t('last')}>
          <Codes codes={[last]} />
        </Panel>
      )}
      {data && (
        <Panel title={t('all')}>
          {data.length === 0 ? (
            <Notice title={t('none')} picture={<IconTicket size={40} stroke={1.25} />}>
              {t('noneText')}
            </Notice>
          ) : (
            <Codes codes={data} />
          )}
        </Panel>
      )}
    </div>
  )
}

function RedeemForm() {
  const { t } = useTranslation('coupons')
  const { hours } = useTimeText()
  const problemText = useCodeProblem()
  const [code, setCode] = useState('')
  const redeeming = useRedeemHours()
  const problem = redeeming.error ? problemOf(redeeming.error) : null
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        redeeming.mutate(code.trim(), {
          onSuccess: ({ coupon, dh_balance: left }) => {
            setCode('')
            toast(t('redeemed', { hours: coupon.hours, left: hours(left) }), 'done')
          },
        })
      }}
    >
      <TextInput
        label={t('code')}
        value={code}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        error={problem && problemText(problem)}
        onChange={(event) => {
          setCode(event.currentTarget.value)
          redeeming.reset()
        }}
      />
      <Button type="submit" variant="filled" loading={redeeming.isPending} disabled={code.trim() === ''}>
        {t('redeem')}
      </Button>
    </form>
  )
}

/** What the server says of a code; a code that there is not is no page that there is not. */
function useCodeProblem(): (problem: Problem) => string {
  const { t } = useTranslation('coupons')
  const problemText = useProblemText()
  return (problem) => (problem.kind === 'missing' ? t('invalid') : problemText(problem))
}

function Codes({ codes }: { codes: readonly HourCoupon[] }) {
  const { t } = useTranslation('coupons')
  const { moment, hours } = useTimeText()
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('column.code')}</th>
          <th scope="col" className={styles.figure}>
            {t('column.hours')}
          </th>
          <th scope="col" className={styles.wide}>
            {t('column.what')}
          </th>
          <th scope="col">{t('column.when')}</th>
        </tr>
      </thead>
      <tbody>
        {codes.map(({ id, code, hours: count, description, redeemed_at: at }) => (
          <tr key={id}>
            <td>
              <bdi className={styles.code}>{code}</bdi>
            </td>
            <td className={styles.figure}>{hours(count)}</td>
            <td className={styles.wide}>{description}</td>
            <td className={styles.date}>
              {at === null ? (
                <Box component="span" fz={13} fw={600} c="var(--v-accent)">
                  {t('available')}
                </Box>
              ) : (
                moment(ms(at) ?? 0)
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
