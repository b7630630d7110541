import { Box, Loader, PinInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { sendPasscode } from './linking.api.ts'
import type { Display } from './targets.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Wizard.module.css'

const LENGTH = 5
const SCREEN_FIRST = ['screen', 'lcd', 'shell'] as const
const LCD_FIRST = ['lcd', 'screen', 'shell'] as const

interface PasscodePanelProps {
  code: string | null
  /** From a deep link: sent by itself. */
  initial: string
  /** Where the printer shows it, as chosen before: explained first. */
  display: Display
}

/** The short code on the printer's own screen; sent as soon as it is whole. */
export function PasscodePanel({ code, initial, display }: PasscodePanelProps) {
  const { t } = useTranslation('linking')
  const problemText = useProblemText()
  const message = useMessages()
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
    problem && typed.length === LENGTH ? (known ? problemText(problem) : message('codeInvalid')) : null

  return (
    <Panel title={t('passcode.title')}>
      <p>{t('passcode.lead')}</p>
      <Box m="14px 0 6px">
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
      </Box>
      <Standing isSent={match.isPending} isTaken={match.isSuccess} />
      {error && (
        <div role="alert">
          <p className={shared.problem}>{error}</p>
          {!known && <p className={shared.soft}>{t('passcode.invalidHow')}</p>}
        </div>
      )}
      <Where display={display} />
    </Panel>
  )
}

function Standing({ isSent, isTaken }: { isSent: boolean; isTaken: boolean }) {
  const { t } = useTranslation('linking')
  return (
    <div role="status" className={shared.soft}>
      {isSent && <Loader size={16} />}
      {isTaken && (
        <>
          <IconCheck size={16} stroke={2} aria-hidden /> {t('passcode.accepted')}
        </>
      )}
    </div>
  )
}

/** Where the printer shows its code. */
function Where({ display }: Pick<PasscodePanelProps, 'display'>) {
  const { t } = useTranslation('linking')
  return (
    <dl className={styles.help}>
      {(display === 'lcd' ? LCD_FIRST : SCREEN_FIRST).map((where) => (
        <div key={where}>
          <dt>{t(`passcode.${where}`)}</dt>
          <dd>{t(`passcode.${where}How`)}</dd>
        </div>
      ))}
    </dl>
  )
}
