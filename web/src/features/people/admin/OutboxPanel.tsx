import { Button, SegmentedControl } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type Owed, OWED_STATES } from '@vigil/contract/people/operations.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { toast } from '../../../lib/toast.ts'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { useTimeText } from '../../../ui/time.tsx'
import styles from './Admin.module.css'
import { type OwedState, useOwed, useRetryOwed } from './admin.api.ts'

/** Letters and messages that wait, or came to nothing. */
export function OutboxPanel() {
  const { t } = useTranslation('admin')
  const [state, setState] = useState<OwedState>('waiting')
  const { data, error, refetch } = useOwed(state)
  return (
    <Panel title={t('outbox.title')}>
      <SegmentedControl
        aria-label={t('outbox.which')}
        value={state}
        data={OWED_STATES.map((value) => ({
          value,
          label: data ? `${t(`outbox.${value}`)} ${data.counts[value]}` : t(`outbox.${value}`),
        }))}
        onChange={(value) => setState(OWED_STATES.find((one) => one === value) ?? 'waiting')}
      />
      {error ? (
        <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <ul className={styles.list} aria-busy={!data}>
          {data?.owed.length === 0 && <li className={styles.none}>{t(`outbox.none.${state}`)}</li>}
          {data?.owed.map((owed) => (
            <OwedRow key={owed.id} owed={owed} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function OwedRow({ owed }: { owed: Owed }) {
  const { t } = useTranslation('admin')
  const { moment } = useTimeText()
  const problemText = useProblemText()
  const retrying = useRetryOwed()
  const { id, channel, kind, person, state, tries, reason, can_retry: canRetry } = owed
  const [made, next] = [ms(owed.created_at), ms(owed.next_at)]
  const facts = [
    t(`outbox.states.${state}`),
    made === null ? null : moment(made),
    tries > 0 ? t('jobs.tries', { count: tries }) : null,
    next === null ? null : t('jobs.next', { moment: moment(next) }),
  ]
  return (
    <li className={styles.item}>
      <div className={styles.words}>
        <span className={styles.name}>
          {kind} · {channel === 'letter' ? t('outbox.letter') : channel}
        </span>
        <Link to={paths.person(person.id)} className={styles.soft}>
          {t('outbox.to', { email: person.email })}
        </Link>
        <span className={styles.soft}>{facts.filter(Boolean).join(' · ')}</span>
        {reason !== null && <span className={shared.problem}>{reason}</span>}
        {retrying.error && (
          <span role="alert" className={shared.bad}>
            {problemText(problemOf(retrying.error))}
          </span>
        )}
      </div>
      {canRetry && (
        <Button
          aria-label={t('outbox.retryOf', { kind, email: person.email })}
          loading={retrying.isPending}
          onClick={() => retrying.mutate(id, { onSuccess: () => toast(t('outbox.again'), 'done') })}
        >
          {t('outbox.retry')}
        </Button>
      )}
    </li>
  )
}
