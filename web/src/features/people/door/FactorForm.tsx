import { Alert, Button, Stack, TextInput } from '@mantine/core'
import type { Factor } from '@vigil/contract/people/proof.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { CallError } from '../../../lib/errors.ts'
import shared from '../../../ui/shared.module.css'
import { canUsePasskeys, type Given } from './passkeys.ts'
import { fieldError, FormAlert } from '../../../ui/FormAlert.tsx'

interface FactorFormProps {
  factors: readonly Factor[]
  action: string
  mutation: { mutate: (given: Given) => void; isPending: boolean; error: Error | null; variables?: Given }
}

/** What an authenticator says when it is called off has no shape of ours. */
const isCalledOff = (error: Error | null): boolean => error !== null && !(error instanceof CallError)

/** What was refused, or that the authenticator was called off. */
export function FactorAlert({ error }: { error: Error | null }) {
  const { t } = useTranslation('security')
  if (!isCalledOff(error)) return <FormAlert error={error} fields={['code']} />
  return (
    <Alert color="bad" role="alert">
      {t('passkeys.calledOff')}
    </Alert>
  )
}

/** A code of an app or a recovery code is typed, or a passkey used. */
export function FactorForm({ factors, action, mutation }: FactorFormProps) {
  const { t } = useTranslation('security')
  const [code, setCode] = useState('')
  const { error, isPending } = mutation
  const hasPasskey = factors.includes('passkey') && canUsePasskeys()
  return (
    <Stack gap={14} mt={14}>
      <FactorAlert error={error} />
      {hasPasskey && (
        <Button
          variant={factors.includes('totp') ? 'default' : 'filled'}
          fullWidth
          loading={isPending && mutation.variables === 'passkey'}
          onClick={() => mutation.mutate('passkey')}
        >
          {t('passkeys.use')}
        </Button>
      )}
      <form
        className={shared.fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (code.trim()) mutation.mutate({ code: code.trim() })
        }}
      >
        <TextInput
          label={t(factors.includes('totp') ? 'code.label' : 'code.recovery')}
          description={factors.includes('totp') && factors.includes('recovery') ? t('code.hint') : undefined}
          name="code"
          autoComplete="one-time-code"
          autoFocus={!hasPasskey || factors.includes('totp')}
          spellCheck={false}
          value={code}
          error={fieldError(error, 'code')}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant={hasPasskey && !factors.includes('totp') ? 'default' : 'filled'}
          fullWidth
          loading={isPending && mutation.variables !== 'passkey'}
        >
          {action}
        </Button>
      </form>
    </Stack>
  )
}
