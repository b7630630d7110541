import { Button, NativeSelect, TextInput } from '@mantine/core'
import { HOUSEHOLD_ROLES, type Household, type HouseholdRole } from '@vigil/contract/people/household.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './Household.module.css'
import { useInvite } from './household.api.ts'
import { PrinterChoice } from './PrinterChoice.tsx'

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
      className={styles.form}
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
      {role !== 'owner' && <PrinterChoice printers={household.printers} value={some} choose={setSome} />}
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
      <p className={`${styles.soft} ${styles.wide}`}>{t(`roleText.${role}`)}</p>
    </>
  )
}
