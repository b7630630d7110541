import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import shared from '../../../ui/shared.module.css'

/** Says that the primary address has to be verified before anything is bought, with the way to the addresses. */
export function VerifyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('subscription')
  return (
    <Dialog onClose={onClose} title={t('verify.title')}>
      <p>{t('verify.text')}</p>
      <DialogButtons>
        <Button onClick={onClose}>{t('verify.later')}</Button>
        <Button component={Link} to={paths.emails} variant="filled" data-autofocus>
          {t('verify.go')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

interface Buying {
  /** Asks for a page of who takes the money, and goes there. */
  buy: (open: () => Promise<{ url: string }>) => void
  isPending: boolean
  /** Why there is none, in a sentence; null while there is nothing to say. */
  problem: string | null
  /** Stands somewhere on the page. */
  dialog: ReactNode
}

/** The way to a page on which one pays: the whole window goes there, on phones and desktops alike. */
export function useBuy(): Buying {
  const problemText = useProblemText()
  const [isAsked, setAsked] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: (open: () => Promise<{ url: string }>) => open(),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (thrown) => setAsked(isUnverified(thrown)),
  })
  const problem = error && !isUnverified(error) ? problemText(problemOf(error)) : null
  const dialog = isAsked ? <VerifyDialog onClose={() => setAsked(false)} /> : null
  return { buy: (open) => mutate(open), isPending, problem, dialog }
}

interface BuyFootProps {
  /** Asks for the page of who takes the money. */
  open: () => Promise<{ url: string }>
  isReady?: boolean
  onClose: () => void
}

/** Below what is chosen: the way back, and the way to who takes the money. */
export function BuyFoot({ open, isReady = true, onClose }: BuyFootProps) {
  const { t } = useTranslation('subscription')
  const { buy, isPending, problem, dialog } = useBuy()
  return (
    <>
      {problem && (
        <p role="alert" className={shared.problem}>
          {problem}
        </p>
      )}
      <DialogButtons>
        <Button onClick={onClose}>{t('build.back')}</Button>
        <Button variant="filled" disabled={!isReady} loading={isPending} onClick={() => buy(open)}>
          {t('build.checkout')}
        </Button>
      </DialogButtons>
      {dialog}
    </>
  )
}

function isUnverified(error: unknown): boolean {
  const problem = problemOf(error)
  return problem.kind === 'fields' && problem.fields['reason'] === 'email_unverified'
}
