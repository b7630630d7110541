import { Button, SegmentedControl } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import shared from '../../../ui/shared.module.css'
import { useTimeText } from '../../../ui/time.tsx'
import items from '../../../ui/Items.module.css'
import styles from './Admin.module.css'

interface WaitingProps<State extends string> {
  readonly label: string
  readonly states: readonly State[]
  readonly state: State
  readonly onState: (state: State) => void
  /** A state in words, with how many there are once that is known. */
  readonly say: (state: State) => string
  readonly none: string
  readonly error: unknown
  readonly onRetry: () => void
  /** Undefined until they are known. */
  readonly rows: readonly ReactNode[] | undefined
}

/** What waits, failed or came to nothing: one state of it at a time. */
export function Waiting<State extends string>(props: WaitingProps<State>) {
  const { t } = useTranslation('admin')
  const { label, states, state, onState, say, none, error, onRetry, rows } = props
  return (
    <>
      <SegmentedControl
        aria-label={label}
        value={state}
        data={states.map((value) => ({ value, label: say(value) }))}
        onChange={(value) => onState(states.find((one) => one === value) ?? state)}
      />
      {error ? (
        <Failed title={t('failed')} problem={problemOf(error)} onRetry={onRetry} />
      ) : (
        <ul className={items.list} aria-busy={!rows}>
          {rows?.length === 0 && <li className={items.none}>{none}</li>}
          {rows}
        </ul>
      )}
    </>
  )
}

interface WaitingRowProps<Key> {
  readonly name: string
  /** What stands between its name and what is known of it. */
  readonly children?: ReactNode
  readonly stateText: string
  readonly row: {
    readonly tries: number
    readonly reason: string | null
    readonly created_at: string
    readonly next_at: string | null
  }
  /** How it is tried again; null where it is not offered. */
  readonly again: {
    readonly id: Key
    readonly label: string
    readonly text: string
    readonly done: string
  } | null
  readonly retrying: UseMutationResult<unknown, Error, Key>
}

/** One of them: since when, how often it was tried, why it failed, and the button that tries it again. */
export function WaitingRow<Key>({ name, children, stateText, row, again, retrying }: WaitingRowProps<Key>) {
  const { t } = useTranslation('admin')
  const { moment } = useTimeText()
  const problemText = useProblemText()
  const [made, next] = [ms(row.created_at), ms(row.next_at)]
  const facts = [
    stateText,
    made === null ? null : moment(made),
    row.tries > 0 ? t('jobs.tries', { count: row.tries }) : null,
    next === null ? null : t('jobs.next', { moment: moment(next) }),
  ]
  return (
    <li className={items.item}>
      <div className={styles.words}>
        <span className={styles.name}>{name}</span>
        {children}
        <span className={items.soft}>{facts.filter(Boolean).join(' · ')}</span>
        {row.reason !== null && <span className={shared.problem}>{row.reason}</span>}
        {retrying.error && (
          <span role="alert" className={shared.bad}>
            {problemText(problemOf(retrying.error))}
          </span>
        )}
      </div>
      {again && (
        <Button
          aria-label={again.label}
          loading={retrying.isPending}
          onClick={() => retrying.mutate(again.id, { onSuccess: () => toast(again.done, 'done') })}
        >
          {again.text}
        </Button>
      )}
    </li>
  )
}
