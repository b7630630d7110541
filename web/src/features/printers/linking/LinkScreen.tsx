import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { usePlace, useQueryValues } from '../../../lib/address.ts'
import { useTranslation } from 'react-i18next'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { GoTo } from '../../../ui/GoTo.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { CodePanel } from './CodePanel.tsx'
import { DiscoveryPanel } from './DiscoveryPanel.tsx'
import { codeQuery } from './linking.api.ts'
import { PasscodePanel } from './PasscodePanel.tsx'
import { PhonePanel } from './PhonePanel.tsx'
import { readDisplay, readPrinterId, readTarget } from './targets.ts'
import { useLinkLine } from './useLinkLine.ts'
import styles from './Wizard.module.css'
import { WizardFrame } from './WizardFrame.tsx'

/** Three ways to the same link, the likeliest first: a passcode, found on the network, or six digits. */
export default function LinkScreen() {
  const { t } = useTranslation('linking')
  const message = useMessages()
  const place = usePlace('target') ?? ''
  const target = readTarget(place)
  const search = useQueryValues()
  const printerId = readPrinterId(search)
  const hand = useRef<HTMLDivElement>(null)
  const { data: code, error, refetch } = useQuery(codeQuery(printerId))

  const line = useLinkLine(code, printerId)

  const linked = line.linked ?? (code?.verified_at ? code.printer?.id : null)
  if (linked) return <GoTo to={paths.wizardSuccess(linked)} search={onlyTunnel(search)} />

  const problem = problemOf(error)
  const isGone = printerId !== null && problem.kind === 'missing'
  const isOctoPrint = target === 'octoprint'
  const byCode = <CodePanel ref={hand} code={code ?? null} target={target} />
  const back = { to: paths.wizardGuide(place), search, label: t('backToGuide') }
  return (
    <WizardFrame step={2} title={printerId === null ? t('link.title') : t('titleAgain')} back={back}>
      {!code && error ? (
        <Failed
          title={isGone ? message('printerNotFound') : t('link.failed')}
          problem={problem}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className={styles.ways}>
          {isOctoPrint ? (
            byCode
          ) : (
            <div className={styles.wide}>
              <PasscodePanel
                code={code?.code ?? null}
                initial={search['one_time_passcode'] ?? ''}
                display={readDisplay(search)}
              />
            </div>
          )}
          <DiscoveryPanel
            code={code?.code ?? null}
            state={line.discovery}
            onByHand={() => hand.current?.focus()}
          />
          {!isOctoPrint && byCode}
          <div className={styles.elsewhere}>
            <PhonePanel />
          </div>
        </div>
      )}
    </WizardFrame>
  )
}

function onlyTunnel(search: Record<string, string>): Record<string, string> {
  const next = search['redirectToTunnelCreation']
  return next ? { redirectToTunnelCreation: next } : {}
}
