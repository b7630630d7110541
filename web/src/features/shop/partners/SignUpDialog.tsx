import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'

interface SignUpDialogProps {
  partner: string
  code: string
  onClose: () => void
}

/** Asks for an account first; from there one comes back, and the code is redeemed. */
export function SignUpDialog({ partner, code, onClose }: SignUpDialogProps) {
  const { t } = useTranslation('partners')
  const { settings } = useBootstrap()
  const search = {
    next: `${paths.partner(partner)}?${new URLSearchParams({ coupon_code: code, redirect: 'true' })}`,
  }
  const mayJoin = settings.ACCOUNT_ALLOW_SIGN_UP
  return (
    <Dialog title={t('signUp.title')} onClose={onClose}>
      <p>{t(mayJoin ? 'signUp.text' : 'signUp.closed')}</p>
      <DialogButtons>
        <Button
          variant={mayJoin ? 'default' : 'filled'}
          renderRoot={(props) => <Link {...props} to={paths.login} search={search} />}
        >
          {t('signUp.signIn')}
        </Button>
        {mayJoin && (
          <Button
            variant="filled"
            data-autofocus
            renderRoot={(props) => <Link {...props} to={paths.signUp} search={search} />}
          >
            {t('signUp.signUp')}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  )
}
