import { Box, Button, TextInput } from '@mantine/core'
import { browserName } from '@vigil/contract/browser.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'
import shared from '../../../ui/shared.module.css'
import { FactorAlert } from '../door/index.ts'
import { useAddPasskey, useBeginTotp, useConfirmTotp } from './security.api.ts'
import { fieldError, FormAlert } from '../../../ui/FormAlert.tsx'
import styles from './FactorDialogs.module.css'

interface AddingProps {
  onClose: () => void
  /** With the first factor come recovery codes. */
  onDone: (codes: readonly string[]) => void
}

/** An authenticator app reads the code, and shows one that is typed here. */
export function TotpDialog({ onClose, onDone }: AddingProps) {
  const { t } = useTranslation('security')
  const [code, setCode] = useState('')
  const { mutate: begin, data, error: failed } = useBeginTotp()
  const confirming = useConfirmTotp()
  useEffect(() => begin(), [begin])
  return (
    <Dialog title={t('totp.title')} onClose={onClose}>
      <p className={shared.soft}>{t('totp.scan')}</p>
      <div className={styles.code} aria-busy={!data}>
        {data && <QrCode text={data.uri} label={t('totp.qr')} />}
        {data && <code aria-label={t('totp.key')}>{data.secret.match(/.{1,4}/g)?.join(' ')}</code>}
      </div>
      <Box
        component="form"
        className={shared.fields}
        mt={14}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          confirming.mutate(code.trim(), { onSuccess: ({ recovery_codes: codes }) => onDone(codes) })
        }}
      >
        <FormAlert error={failed ?? confirming.error} fields={['code']} />
        <TextInput
          label={t('totp.code')}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          error={fieldError(confirming.error, 'code')}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <DialogButtons>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            type="submit"
            variant="filled"
            disabled={!data || code.trim() === ''}
            loading={confirming.isPending}
          >
            {t('totp.done')}
          </Button>
        </DialogButtons>
      </Box>
    </Dialog>
  )
}

/** The browser asks for the passkey; its name is for the list. */
export function PasskeyDialog({ onClose, onDone }: AddingProps) {
  const { t } = useTranslation('security')
  const [name, setName] = useState(browserName(navigator.userAgent))
  const adding = useAddPasskey()
  return (
    <Dialog title={t('passkeys.add')} onClose={onClose}>
      <p className={shared.soft}>{t('passkeys.addLead')}</p>
      <Box
        component="form"
        className={shared.fields}
        mt={14}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          adding.mutate(name.trim() || t('passkeys.title'), {
            onSuccess: ({ recovery_codes: codes }) => onDone(codes),
          })
        }}
      >
        <FactorAlert error={adding.error} />
        <TextInput
          label={t('passkeys.name')}
          name="name"
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <DialogButtons>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={adding.isPending}>
            {t('passkeys.go')}
          </Button>
        </DialogButtons>
      </Box>
    </Dialog>
  )
}

/** The one time that recovery codes are seen. */
export function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('security')
  return (
    <Dialog
      title={t('codes.title')}
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <p className={shared.soft}>{t('codes.once')}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogButtons>
        <CopyButton text={codes.join('\n')} label={t('codes.copy')} />
        <Button variant="filled" onClick={onClose}>
          {t('codes.kept')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
