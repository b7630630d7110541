import { Button, NativeSelect } from '@mantine/core'
import type { AuditRow, Household } from '@vigil/contract/people/household.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { useUser } from '../../../lib/session.ts'
import { Failed } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import items from '../../../ui/Items.module.css'
import styles from './Household.module.css'
import { type LogFilter, useLog, useMembers } from './household.api.ts'

const KINDS = ['print', 'printer', 'household', 'admin'] as const

/** What was done to an account's printers and household, and by whom; picked out by person, printer and kind. */
export function LogPanel({ household }: { household: Household }) {
  const { t } = useTranslation('household')
  const [filter, setFilter] = useState<LogFilter>({})
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useLog(
    household.id,
    filter,
  )
  const rows = data?.pages.flat()
  const people = usePeople(data?.pages)
  const title = household.role === null ? t('log.title') : t('log.titleOf', { name: household.name })
  return (
    <Panel title={title}>
      <Filters household={household} people={people} filter={filter} onFilter={setFilter} />
      {error ? (
        <Failed title={t('log.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <ul className={items.list} aria-busy={!rows}>
          {rows?.length === 0 && <li className={items.none}>{t('log.none')}</li>}
          {rows?.map((row) => (
            <LogRow key={row.id} row={row} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('log.more')}
        </Button>
      )}
    </Panel>
  )
}

/**
 * Who acts, by account: known by the rows, since members are told by their row. Whoever was seen stays to be chosen, whatever the choice leaves
 * out.
 */
function usePeople(pages: readonly (readonly AuditRow[])[] | undefined): ReadonlyMap<number, string> {
  const { t } = useTranslation('household')
  const user = useUser()
  const [seen, setSeen] = useState<ReadonlyMap<number, string>>(new Map())
  useEffect(() => {
    const found = pages?.flat().flatMap(({ who }) => (who ? [[who.id, who.name] as const] : []))
    if (found) setSeen((before) => new Map([...before, ...found]))
  }, [pages])
  return new Map([...seen, [user.id, t('log.you')]])
}

interface FiltersProps {
  household: Household
  people: ReadonlyMap<number, string>
  filter: LogFilter
  onFilter: (filter: LogFilter) => void
}

function Filters({ household, people, filter, onFilter }: FiltersProps) {
  const { t } = useTranslation('household')
  const { data: members = [] } = useMembers(household.id)
  const { user_id: person, printer_id: printer, kind } = filter
  const withOne = (name: 'user_id' | 'printer_id', value: string) =>
    onFilter({ ...filter, [name]: value === '' ? undefined : Number(value) })
  return (
    <div className={styles.tools}>
      {(members.length > 0 || people.size > 1) && (
        <NativeSelect
          aria-label={t('log.person')}
          value={`${person ?? ''}`}
          data={[
            { value: '', label: t('log.anybody') },
            ...[...people].map(([id, label]) => ({ value: `${id}`, label })),
          ]}
          onChange={(event) => withOne('user_id', event.currentTarget.value)}
        />
      )}
      <NativeSelect
        aria-label={t('log.printer')}
        value={`${printer ?? ''}`}
        data={[
          { value: '', label: t('log.anyPrinter') },
          ...household.printers.map(({ id, name }) => ({ value: `${id}`, label: name })),
        ]}
        onChange={(event) => withOne('printer_id', event.currentTarget.value)}
      />
      <NativeSelect
        aria-label={t('log.kind')}
        value={kind ?? ''}
        data={[
          { value: '', label: t('log.anyKind') },
          ...KINDS.map((value) => ({ value, label: t(`log.kinds.${value}`) })),
        ]}
        onChange={(event) => {
          const chosen = KINDS.find((one) => one === event.currentTarget.value)
          onFilter({ ...filter, kind: chosen })
        }}
      />
    </div>
  )
}

/** Acts that have words of their own; any other is named as it is kept. */
const ACTS = [
  'command_pause',
  'command_resume',
  'command_cancel',
  'alert_failed',
  'alert_not_failed',
  'alert_seen',
  'alert_muted',
  'alert_unmuted',
  'printer_linked',
  'printer_relinked',
  'printer_changed',
  'printer_deleted',
  'printer_archived',
  'printer_unarchived',
  'household_invited',
  'household_uninvited',
  'household_joined',
  'household_left',
  'household_removed',
  'household_changed',
  'household_ordered',
  'queue_bed_cleared',
  'queue_bed_withdrawn',
  'macro_run',
  'cloud_print_start',
  'printer_file_delete',
  'tunnel_made',
  'tunnel_revoked',
  'admin_impersonation_begun',
  'admin_impersonation_ended',
  'admin_impersonation_lapsed',
  'admin_acted',
  'admin_disabled',
  'admin_enabled',
  'admin_plan_changed',
  'admin_early_features',
  'admin_refunded',
  'plan_cancel_asked',
  'admin_factors_reset_asked',
  'admin_notice_written',
  'admin_notice_rewritten',
  'admin_notice_removed',
  'admin_brand_changed',
  'admin_flag_turned',
  'admin_job_retried',
  'admin_message_retried',
  'admin_test_mail',
] as const

function LogRow({ row }: { row: AuditRow }) {
  const { t } = useTranslation('household')
  const { moment } = useTimeText()
  const at = ms(row.at)
  const known = ACTS.find((one) => one === row.action.replace('.', '_'))
  const [way, what = ''] = row.action.split('.')
  const act = known ? t(`log.acts.${known}`) : way === 'passthru' ? t('log.used', { what }) : row.action
  const wentWell = ['done', 'sent', 'offered', 'withdrawn'].includes(row.outcome)
  const about = [row.printer?.name, row.about].filter(Boolean).join(' · ')
  return (
    <li className={items.item}>
      <div className={styles.words}>
        <span>
          <span className={items.name}>
            {row.who?.name ?? t(row.way === 'system' ? 'log.server' : 'log.gone')}
          </span>{' '}
          {act}
          {!wentWell && <span className={items.soft}> ({t('log.failedAct')})</span>}
        </span>
        {about !== '' && <span className={items.soft}>{about}</span>}
      </div>
      <span className={items.soft}>{at === null ? '' : moment(at)}</span>
    </li>
  )
}
