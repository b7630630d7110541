import { Link } from '@tanstack/react-router'
import { type Owed, OWED_STATES } from '@vigil/contract/people/operations.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { Panel } from '../../../ui/Panel.tsx'
import items from '../../../ui/Items.module.css'
import { type OwedState, useOwed, useRetryOwed } from './admin.api.ts'
import { Waiting, WaitingRow } from './Waiting.tsx'

/** Letters and messages that wait, or came to nothing. */
export function OutboxPanel() {
  const { t } = useTranslation('admin')
  const [state, setState] = useState<OwedState>('waiting')
  const { data, error, refetch } = useOwed(state)
  return (
    <Panel title={t('outbox.title')}>
      <Waiting
        label={t('outbox.which')}
        states={OWED_STATES}
        state={state}
        onState={setState}
        say={(one) => (data ? `${t(`outbox.${one}`)} ${data.counts[one]}` : t(`outbox.${one}`))}
        none={t(`outbox.none.${state}`)}
        error={error}
        onRetry={() => void refetch()}
        rows={data?.owed.map((owed) => (
          <OwedRow key={owed.id} owed={owed} />
        ))}
      />
    </Panel>
  )
}

function OwedRow({ owed }: { owed: Owed }) {
  const { t } = useTranslation('admin')
  const { id, channel, kind, person, state } = owed
  const again = {
    id,
    label: t('outbox.retryOf', { kind, email: person.email }),
    text: t('outbox.retry'),
    done: t('outbox.again'),
  }
  return (
    <WaitingRow
      name={`${kind} · ${channel === 'letter' ? t('outbox.letter') : channel}`}
      stateText={t(`outbox.states.${state}`)}
      row={owed}
      again={owed.can_retry ? again : null}
      retrying={useRetryOwed()}
    >
      <Link to={paths.person(person.id)} className={items.soft}>
        {t('outbox.to', { email: person.email })}
      </Link>
    </WaitingRow>
  )
}
