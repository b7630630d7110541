import { Box, Button, PasswordInput, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { onProofWanted, type Wanted } from '../../../lib/proof.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useSignOut } from '../sign-in/index.ts'
import { FactorForm } from '../door/index.ts'
import { useProve } from './security.api.ts'
import { fieldError, FormAlert } from '../../../ui/FormAlert.tsx'
import shared from '../../../ui/shared.module.css'

interface Asked {
  wanted: Wanted
  answer: (isShown: boolean) => void
}

/** Asks once more who it is, when the server wants to know before it does something dangerous. */
export function ProofHost() {
  const [asked, setAsked] = useState<Asked | null>(null)
  useEffect(
    () =>
      onProofWanted(
        (wanted) =>
          new Promise((resolve) => {
            setAsked((before) => {
              before?.answer(false)
              return { wanted, answer: resolve }
            })
          }),
      ),
    [],
  )
  if (!asked) return null
  const end = (isShown: boolean) => {
    asked.answer(isShown)
    setAsked(null)
  }
  return <ProofDialog wanted={asked.wanted} onEnd={end} />
}

function ProofDialog({ wanted, onEnd }: { wanted: Wanted; onEnd: (isShown: boolean) => void }) {
  const { t } = useTranslation('security')
  const { mutate, ...proving } = useProve()
  const shown = { onSuccess: () => onEnd(true) }
  return (
    <Dialog title={t('proof.title')} onClose={() => onEnd(false)}>
      <p className={shared.soft}>{t('proof.lead')}</p>
      {wanted.factors.length > 0 ? (
        <FactorForm
          factors={wanted.factors}
          action={t('proof.go')}
          mutation={{
            mutate: (given) => mutate(given, shown),
            isPending: proving.isPending,
            error: proving.error,
            ...(proving.variables === 'passkey' ? { variables: 'passkey' } : {}),
          }}
        />
      ) : wanted.hasPassword ? (
        <PasswordForm
          error={proving.error}
          isPending={proving.isPending}
          onGiven={(password) => mutate({ password }, shown)}
        />
      ) : (
        <SignInAgain />
      )}
    </Dialog>
  )
}

interface PasswordFormProps {
  error: Error | null
  isPending: boolean
  onGiven: (password: string) => void
}

function PasswordForm({ error, isPending, onGiven }: PasswordFormProps) {
  const { t } = useTranslation('security')
  const { t: accounts } = useTranslation('accounts')
  const [password, setPassword] = useState('')
  return (
    <Box
      component="form"
      className={shared.fields}
      mt={14}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (password) onGiven(password)
      }}
    >
      <FormAlert error={error} fields={['password']} />
      <PasswordInput
        label={accounts('password')}
        name="password"
        autoComplete="current-password"
        autoFocus
        visibilityToggleButtonProps={{ 'aria-label': accounts('passwordShow') }}
        value={password}
        error={fieldError(error, 'password')}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" variant="filled" fullWidth loading={isPending}>
        {t('proof.go')}
      </Button>
    </Box>
  )
}

/** An account without password and factor shows who it is of by signing in. */
function SignInAgain() {
  const { t } = useTranslation('security')
  const signOut = useSignOut()
  return (
    <Stack gap={14} mt={14}>
      <p>{t('proof.again')}</p>
      <Button variant="filled" fullWidth onClick={signOut}>
        {t('proof.signOut')}
      </Button>
    </Stack>
  )
}
