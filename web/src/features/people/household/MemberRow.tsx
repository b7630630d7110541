import { Badge, Button, NativeSelect } from '@mantine/core'
import {
  HOUSEHOLD_ROLES,
  type Household,
  type HouseholdRole,
  type Member,
} from '@vigil/contract/people/household.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useNow } from '../../../lib/clock.ts'
import { problemOf } from '../../../lib/errors.ts'
import { dateFormat, ms } from '../../../lib/format.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import shared from '../../../ui/shared.module.css'
import items from '../../../ui/Items.module.css'
import styles from './Household.module.css'
import { useChangeMember, useRemoveMember } from './household.api.ts'
import { SharedPrinters } from './InviteForm.tsx'

interface MemberRowProps {
  member: Member
  household: Household
  /** How many can stand in the order. */
  places: number
  /** Null: told at once. */
  onPlace: (place: number | null) => void
}

/** Somebody who was let in or invited: what they may do, where, when they are told, and their end. */
export function MemberRow({ member, household, places, onPlace }: MemberRowProps) {
  const { t } = useTranslation('household')
  const changing = useChangeMember(household.id)
  const removing = useRemoveMember()
  const [isChoosing, setChoosing] = useState(false)
  const name = member.name ?? member.email
  const isIn = member.accepted_at !== null
  async function remove() {
    const key = isIn ? 'remove' : 'takeBack'
    const question = {
      title: t(`${key}.title`, { name }),
      text: t(`${key}.text`),
      action: t(`${key}.action`),
    }
    if (await confirm({ ...question, tone: 'bad' })) removing.mutate({ account: household.id, id: member.id })
  }
  return (
    <li className={`${items.item} ${styles.member}`}>
      <Words member={member} name={name} error={changing.error ?? removing.error} />
      <MemberTools
        {...{ member, name, places, onPlace }}
        isBusy={changing.isPending || removing.isPending}
        onRole={(role) => changing.mutate({ id: member.id, role })}
        onPrinters={() => setChoosing(true)}
        onRemove={() => void remove()}
      />
      {isChoosing && (
        <PrintersDialog
          title={t('printersOf', { name })}
          household={household}
          member={member}
          onClose={() => setChoosing(false)}
          onSave={(ids) => {
            changing.mutate({ id: member.id, printer_ids: ids && [...ids] })
            setChoosing(false)
          }}
        />
      )}
    </li>
  )
}

/** Who it is, which printers they have, and what went wrong. */
function Words({ member, name, error }: { member: Member; name: string; error: Error | null }) {
  const { t, i18n } = useTranslation('household')
  const problemText = useProblemText()
  const isIn = member.accepted_at !== null
  const where =
    member.printers === null
      ? t('all')
      : new Intl.ListFormat(i18n.language).format(member.printers.map((one) => one.name))
  return (
    <div className={styles.words}>
      <span className={items.name}>
        {name} {member.is_me && <Badge variant="light">{t('you')}</Badge>}
      </span>
      {isIn && name !== member.email && <span className={items.soft}>{member.email}</span>}
      <span className={items.soft}>{where}</span>
      {!isIn && <Invited member={member} />}
      {error && (
        <span role="alert" className={shared.bad}>
          {problemText(problemOf(error))}
        </span>
      )}
    </div>
  )
}

interface MemberToolsProps extends Pick<MemberRowProps, 'member' | 'places' | 'onPlace'> {
  name: string
  isBusy: boolean
  onRole: (role: HouseholdRole) => void
  onPrinters: () => void
  onRemove: () => void
}

function MemberTools({
  member,
  places,
  onPlace,
  name,
  isBusy,
  onRole,
  onPrinters,
  onRemove,
}: MemberToolsProps) {
  const { t } = useTranslation('household')
  const isIn = member.accepted_at !== null
  return (
    <div className={styles.tools}>
      <NativeSelect
        aria-label={t('roleOf', { name })}
        value={member.role}
        disabled={member.is_me || isBusy}
        data={HOUSEHOLD_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
        onChange={({ currentTarget: { value } }) => {
          const role = HOUSEHOLD_ROLES.find((one) => one === value)
          if (role) onRole(role)
        }}
      />
      {isIn && <Told {...{ member, name, places, onPlace }} />}
      {member.role !== 'owner' && (
        <Button className={styles.printers} aria-label={t('printersOf', { name })} onClick={onPrinters}>
          {t('printers')}
        </Button>
      )}
      {!member.is_me && (
        <Button
          className={styles.remove}
          aria-label={t(isIn ? 'removeOf' : 'takeBackOf', { name })}
          disabled={isBusy}
          onClick={onRemove}
        >
          {t(isIn ? 'remove.action' : 'takeBack.action')}
        </Button>
      )}
    </div>
  )
}

/** When they are told of an alert: at once, or in their turn while nobody answers. */
function Told({ member, name, places, onPlace }: Omit<MemberRowProps, 'household'> & { name: string }) {
  const { t } = useTranslation('household')
  const turns = Array.from({ length: places }, (_, at) => at + 1)
  return (
    <NativeSelect
      className={styles.told}
      aria-label={t('toldOf', { name })}
      value={`${member.place ?? ''}`}
      data={[
        { value: '', label: t('told.atOnce') },
        ...turns.map((place) => ({ value: `${place}`, label: t('told.place', { place }) })),
      ]}
      onChange={({ currentTarget: { value } }) => onPlace(value === '' ? null : Number(value))}
    />
  )
}

function Invited({ member }: { member: Member }) {
  const { t, i18n } = useTranslation('household')
  const now = useNow()
  const ends = ms(member.expires_at)
  if (ends === null) return null
  const day = dateFormat(i18n.language, { dateStyle: 'medium' }).format(ends)
  return <span className={items.soft}>{t(ends > now ? 'invited' : 'invitedOver', { day })}</span>
}

interface PrintersDialogProps {
  title: string
  household: Household
  member: Member
  onClose: () => void
  onSave: (ids: readonly number[] | null) => void
}

function PrintersDialog({ title, household, member, onClose, onSave }: PrintersDialogProps) {
  const { t } = useTranslation('household')
  const [ids, setIds] = useState<readonly number[] | null>(member.printers?.map(({ id }) => id) ?? null)
  return (
    <Dialog title={title} onClose={onClose}>
      <SharedPrinters household={household} value={ids} choose={setIds} />
      <DialogButtons>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="filled" disabled={ids?.length === 0} onClick={() => onSave(ids)}>
          {t('save')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
