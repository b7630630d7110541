import { Loader, PinInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../lib/errors.ts'
import { useProblemText } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { sendPasscode } from './linking.api.ts'
import styles from './Wizard.module.css'

const LENGTH = 5

/** The short code on the printer's own screen; sent as soon as it is whole. */
export function PasscodePanel({ code, initial }: { code: string | null; initial: string }) {
  const { t } = useTranslation('linking')
  const problemText = useProblemText()
  const [typed, setTyped] = useState(initial.toLowerCase().slice(0, LENGTH))
  const sent = useRef('')
  const match = useMutation({ mutationFn: (passcode: string) => sendPasscode(passcode, code ?? '') })
  const { mutate } = match

  useEffect(() => {
    if (typed.length !== LENGTH || !code || sent.current === typed) return
    sent.current = typed
    mutate(typed)
  }, [typed, code, mutate])

  const problem = match.error ? problemOf(match.error) : null
  const known = problem?.kind === 'offline' || problem?.kind === 'throttled'
  const error =
    problem && typed.length === LENGTH ? (known ? problemText(problem) : t('passcode.invalid')) : null

  return (
    <Panel title={t('passcode.title')}>
      <p>{t('passcode.lead')}</p>
      <div className={styles.passcode}>
        <PinInput
          length={LENGTH}
          type={/^[a-z0-9]$/i}
          inputMode="text"
          placeholder=""
          value={typed}
          error={Boolean(error)}
          disabled={match.isPending || match.isSuccess}
          aria-label={t('passcode.title')}
          getInputProps={(at) => ({ 'aria-label': t('passcode.character', { number: at + 1 }) })}
          onChange={(value) => {
            sent.current = ''
            match.reset()
            setTyped(value.toLowerCase())
          }}
        />
      </div>
      <div role="status" className={styles.hint}>
        {match.isPending && <Loader size={16} />}
        {match.isSuccess && (
          <>
            <IconCheck size={16} stroke={2} aria-hidden /> {t('passcode.accepted')}
          </>
        )}
      </div>
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      <dl className={styles.help}>
        {(['screen', 'lcd', 'shell'] as const).map((where) => (
          <div key={where}>
            <dt>{t(`passcode.${where}`)}</dt>
            <dd>{t(`passcode.${where}How`)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
