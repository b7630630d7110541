import { NativeSelect, Switch } from '@mantine/core'
import type { WholePerson } from '@vigil/contract/people/directory.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { useId } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { dateAndTime, ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'
import shared from '../../../ui/shared.module.css'
import { useTimeText } from '../../../ui/time.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import { AdminPage } from './AdminPage.tsx'
import items from '../../../ui/Items.module.css'
import styles from './Admin.module.css'
import { useChangePerson, usePerson } from './admin.api.ts'
import { Marks } from './Marks.tsx'
import { PersonActs } from './PersonActs.tsx'
import { PersonPayments } from './PersonPayments.tsx'

/** `/admin/people/{id}/`: one account, and what an administrator can do to it. */
export default function PersonScreen() {
  const { t } = useTranslation('admin')
  const id = useId()
  const { settings } = useBootstrap()
  const { data: person, error, refetch } = usePerson(id)
  return (
    <AdminPage
      title={person?.name ?? t('sections.people')}
      back={{ to: paths.admin, label: t('person.back') }}
      isBusy={!person && !error}
    >
      {error && <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />}
      {person && (
        <>
          <AccountPanel person={person} />
          <StoragePanel person={person} />
          {settings.IS_ENT && <PersonPayments id={person.id} />}
          <PersonActs key={person.id} person={person} />
        </>
      )}
    </AdminPage>
  )
}

function AccountPanel({ person }: { person: WholePerson }) {
  const { t, i18n } = useTranslation('admin')
  const { moment } = useTimeText()
  const { settings, page_context: context } = useBootstrap()
  const on = (value: string | null) => {
    const at = ms(value)
    return at === null ? t('person.never') : dateAndTime(i18n.language, at)
  }
  const factors = person.factors.map((one) => t(`person.factor.${one}`))
  const due = ms(person.reset_due_at)
  return (
    <Panel title={t('person.account')} aside={<Marks person={person} />}>
      <Facts
        rows={[
          [t('person.number'), person.id],
          [t('person.email'), person.email],
          [t('person.brand'), person.brand === context.syndicate.name ? null : person.brand],
          [t('person.since'), on(person.created_at)],
          [t('person.last'), on(person.last_active_at)],
          [t('person.sessions'), t('person.sessionCount', { count: person.sessions })],
          [
            t('person.factors'),
            factors.length === 0 ? t('person.noFactors') : new Intl.ListFormat(i18n.language).format(factors),
          ],
          [
            t('person.hours'),
            settings.IS_ENT
              ? person.are_hours_unlimited
                ? t('person.unlimited')
                : String(Number(person.hours.toFixed(1)))
              : null,
          ],
        ]}
      />
      {person.is_reset_asked && (
        <p className={shared.bad}>
          {due === null ? t('person.resetAsked') : t('person.resetDue', { moment: moment(due) })}
        </p>
      )}
      {settings.IS_ENT && <PlanRow person={person} />}
      <EarlyRow person={person} />
    </Panel>
  )
}

function PlanRow({ person }: { person: WholePerson }) {
  const { t } = useTranslation('admin')
  const change = useChangePerson(person.id)
  const problemText = useProblemText()
  const error = change.error ? problemText(problemOf(change.error)) : null
  return (
    <SettingRow label={t('person.plan')} state={{ phase: change.isPending ? 'saving' : 'idle', error }}>
      {(ids) => (
        <NativeSelect
          {...ids}
          value={person.plan}
          disabled={change.isPending}
          data={(['free', 'pro'] as const).map((value) => ({ value, label: t(`people.plans.${value}`) }))}
          onChange={(event) => change.mutate({ plan: event.currentTarget.value === 'pro' ? 'pro' : 'free' })}
        />
      )}
    </SettingRow>
  )
}

function EarlyRow({ person }: { person: WholePerson }) {
  const { t } = useTranslation('admin')
  const change = useChangePerson(person.id)
  const problemText = useProblemText()
  const error = change.error ? problemText(problemOf(change.error)) : null
  return (
    <SettingRow
      label={t('person.early')}
      hint={t('person.earlyHint')}
      state={{ phase: change.isPending ? 'saving' : 'idle', error }}
    >
      {(ids) => (
        <Switch
          {...ids}
          checked={person.mobile_app_canary}
          disabled={change.isPending}
          onChange={(event) => change.mutate({ mobile_app_canary: event.currentTarget.checked })}
        />
      )}
    </SettingRow>
  )
}

function StoragePanel({ person }: { person: WholePerson }) {
  const { t } = useTranslation('admin')
  const bytes = useBytes()
  const { storage_limit: limit } = person
  return (
    <Panel title={t('person.storage')}>
      <Facts
        rows={person.stored.map((one) => {
          const words = { size: bytes(one.bytes), count: one.count }
          const isLimited = one.kind === 'files' && limit !== null
          return [
            t(`person.kinds.${one.kind}`),
            isLimited ? t('person.storedOf', { ...words, limit: bytes(limit) }) : t('person.stored', words),
          ]
        })}
      />
      <p className={`${items.soft} ${styles.below}`}>{t('person.log')}</p>
    </Panel>
  )
}
