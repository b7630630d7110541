import { Button, NativeSelect, TextInput } from '@mantine/core'
import { HOUSEHOLD_ROLES, type Household, type HouseholdRole } from '@vigil/contract/people/household.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { PrinterChoice } from '../../../printer/PrinterChoice.tsx'
import fields from '../../../ui/Form.module.css'
import { useProblemText } from '../../../ui/Notice.tsx'
import shared from '../../../ui/shared.module.css'
import items from '../../../ui/Items.module.css'
import { useInvite } from './household.api.ts'

/** Invites somebody by mail: as what, and to which printers. */
export function InviteForm({ household }: { household: Household }) {
  const { t } = useTranslation('household')
  const problemText = useProblemText()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<HouseholdRole>('viewer')
  const [some, setSome] = useState<readonly number[] | null>(null)
  const inviting = useInvite(household.id)
  const problem = inviting.error ? problemOf(inviting.error) : null
  const beside = problem?.kind === 'fields' ? problem.fields['email'] : undefined
  // Owners of the household have all.
  const printers = role === 'owner' ? null : some
  return (
    <form
      className={fields.form}
      onSubmit={(event) => {
        event.preventDefault()
        inviting.mutate(
          { email: email.trim(), role, printer_ids: printers && [...printers] },
          {
            onSuccess: () => {
              toast(t('form.sent', { email: email.trim() }), 'done')
              setEmail('')
            },
          },
        )
      }}
    >
      <TextInput
        label={t('form.email')}
        type="email"
        value={email}
        maxLength={254}
        required
        withAsterisk={false}
        autoComplete="off"
        error={beside}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleChoice role={role} choose={setRole} />
      {role !== 'owner' && <SharedPrinters household={household} value={some} choose={setSome} />}
      <Button type="submit" variant="filled" loading={inviting.isPending} disabled={printers?.length === 0}>
        {t('form.invite')}
      </Button>
      {problem && !beside && (
        <p role="alert" className={shared.bad}>
          {problemText(problem)}
        </p>
      )}
    </form>
  )
}

/** As what somebody is invited. */
function RoleChoice({ role, choose }: { role: HouseholdRole; choose: (role: HouseholdRole) => void }) {
  const { t } = useTranslation('household')
  return (
    <>
      <NativeSelect
        label={t('form.role')}
        value={role}
        data={HOUSEHOLD_ROLES.map((value) => ({ value, label: t(`role.${value}`) }))}
        onChange={(event) =>
          choose(HOUSEHOLD_ROLES.find((one) => one === event.currentTarget.value) ?? 'viewer')
        }
      />
      <p className={`${items.soft} ${fields.wide}`}>{t(`roleText.${role}`)}</p>
    </>
  )
}

interface SharedPrintersProps {
  household: Household
  /** Null: all. */
  value: readonly number[] | null
  choose: (value: readonly number[] | null) => void
}

/** Which of the household's printers a member sees. */
export function SharedPrinters({ household, ...chosen }: SharedPrintersProps) {
  const { t } = useTranslation('household')
  return (
    <PrinterChoice label={t('form.printers')} all={t('form.all')} printers={household.printers} {...chosen} />
  )
}
