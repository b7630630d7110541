import { Button } from '@mantine/core'
import type { Household, Member } from '@vigil/contract/people/household.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import items from '../../../ui/Items.module.css'
import styles from './Household.module.css'
import { useHouseholds, useMembers, useOrder, useRemoveMember } from './household.api.ts'
import { InviteForm } from './InviteForm.tsx'
import { LogPanel } from './LogPanel.tsx'
import { MemberRow } from './MemberRow.tsx'

/** Who else sees and uses one's printers, whose printers one sees, and what was done there. */
export default function HouseholdScreen() {
  const { t } = useTranslation('household')
  const { t: accounts } = useTranslation('accounts')
  const { data, error, refetch } = useHouseholds()
  useTitle(t('title'))
  // One's own account, and those whose household one rules.
  const ruled = data?.filter(({ role }) => role === null || role === 'owner') ?? []
  const others = data?.filter(({ role }) => role !== null) ?? []
  return (
    <div className={shared.page} aria-busy={!data && !error}>
      <PageHeader title={t('title')} back={{ to: paths.preferences, label: accounts('preferences.title') }} />
      {error && <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />}
      {ruled.map((household) => (
        <MembersPanel key={household.id} household={household} />
      ))}
      {others.length > 0 && (
        <Panel title={t('belong.title')}>
          <ul className={items.list}>
            {others.map((household) => (
              <Belonging key={household.id} household={household} />
            ))}
          </ul>
        </Panel>
      )}
      {ruled.map((household) => (
        <LogPanel key={household.id} household={household} />
      ))}
    </div>
  )
}

/** Whom an account has let in; an invitation. */
function MembersPanel({ household }: { household: Household }) {
  const { t } = useTranslation('household')
  const { data, error, refetch } = useMembers(household.id)
  const ordering = useOrder(household.id)
  const problemText = useProblemText()
  const title = household.role === null ? t('members.title') : t('members.titleOf', { name: household.name })
  const inside = data?.filter(({ accepted_at: at }) => at !== null) ?? []
  return (
    <Panel title={title}>
      <p className={items.soft}>{t('members.lead')}</p>
      {error ? (
        <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <ul className={`${items.list} ${styles.members}`} aria-busy={!data}>
          {data?.length === 0 && <li className={items.none}>{t('members.none')}</li>}
          {data?.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              household={household}
              places={inside.length}
              onPlace={(place) => ordering.mutate(orderWith(inside, member.id, place))}
            />
          ))}
        </ul>
      )}
      {ordering.error && (
        <p role="alert" className={shared.bad}>
          {problemText(problemOf(ordering.error))}
        </p>
      )}
      {inside.length > 0 && <p className={items.soft}>{t('told.lead')}</p>}
      <InviteForm household={household} />
    </Panel>
  )
}

/** The order of those who are told one after the other, with one of them at another place; null: out of it. */
export function orderWith(members: readonly Member[], id: number, place: number | null): number[] {
  const before = members
    .filter((one) => one.place !== null && one.id !== id)
    .toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0))
    .map((one) => one.id)
  return place === null ? before : before.toSpliced(place - 1, 0, id)
}

/** An account that let one in, and the way out. */
function Belonging({ household }: { household: Household }) {
  const { t, i18n } = useTranslation('household')
  const problemText = useProblemText()
  const leaving = useRemoveMember()
  const { id, name, role, member_id: memberId, printers } = household
  if (role === null || memberId === null) return null
  const names = new Intl.ListFormat(i18n.language).format(printers.map((one) => one.name))
  async function leave(member: number) {
    const question = { title: t('leave.title', { name }), text: t('leave.text'), action: t('leave.action') }
    if (await confirm({ ...question, tone: 'bad' })) leaving.mutate({ account: id, id: member })
  }
  return (
    <li className={items.item}>
      <div className={styles.words}>
        <span className={items.name}>{name}</span>
        <span className={items.soft}>
          {t(`role.${role}`)} · {names === '' ? t('belong.none') : names}
        </span>
        {leaving.error && (
          <span role="alert" className={shared.bad}>
            {problemText(problemOf(leaving.error))}
          </span>
        )}
      </div>
      <Button
        aria-label={t('leave.of', { name })}
        loading={leaving.isPending}
        onClick={() => void leave(memberId)}
      >
        {t('leave.action')}
      </Button>
    </li>
  )
}
