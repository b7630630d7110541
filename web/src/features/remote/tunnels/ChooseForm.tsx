import { Anchor, Button, Radio } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { StatePill } from '../../../printer/StatePill.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import type { Platform } from './apps.ts'
import styles from './Ask.module.css'
import { type Target, withEndpoint } from './redirect.ts'
import { useAuthorize } from './tunnels.api.ts'

/** What an app asks for. */
export interface Asking {
  readonly app: string
  readonly platform: Platform
  readonly target: Target
}

/** Which printer the app may reach, and the leave itself; then its endpoint is handed over. */
export function ChooseForm({ asking, printers }: { asking: Asking; printers: readonly Printer[] }) {
  const { t } = useTranslation('tunnels')
  const problemText = useProblemText()
  const { app, target } = asking
  const [first] = printers
  const [chosen, choose] = useState(printers.length === 1 && first ? `${first.id}` : null)
  const authorizing = useAuthorize()
  if (authorizing.data)
    return <Done app={app} address={withEndpoint(target, authorizing.data.tunnel_endpoint)} />
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen !== null) authorizing.mutate({ app, printerId: Number(chosen) })
      }}
    >
      <p>{t('ask.may', { app })}</p>
      <Choices printers={printers} chosen={chosen} onChoose={choose} />
      {target.kind !== 'own' && (
        <p className={styles.soft}>
          {t(target.kind === 'app' ? 'ask.toApp' : 'ask.toSite', { name: target.name })}
        </p>
      )}
      {authorizing.error && (
        <p role="alert" className={styles.bad}>
          {problemText(problemOf(authorizing.error))}
        </p>
      )}
      <Button
        type="submit"
        variant="filled"
        fullWidth
        disabled={chosen === null}
        loading={authorizing.isPending}
      >
        {t('ask.authorize')}
      </Button>
    </form>
  )
}

interface ChoicesProps {
  printers: readonly Printer[]
  chosen: string | null
  onChoose: (id: string) => void
}

function Choices({ printers, chosen, onChoose }: ChoicesProps) {
  const { t } = useTranslation('tunnels')
  const message = useMessages()
  return (
    <Radio.Group
      value={chosen}
      onChange={onChoose}
      label={t('ask.which')}
      description={chosen === null ? message('choosePrinter') : undefined}
    >
      <div className={styles.choices}>
        {printers.map((printer) => (
          <Radio
            key={printer.id}
            value={`${printer.id}`}
            classNames={{ body: styles.row }}
            label={
              <span className={styles.choice}>
                {printer.name} <StatePill printer={printer} transition={null} />
              </span>
            }
          />
        ))}
      </div>
    </Radio.Group>
  )
}

/** It is let in: the browser is led to it, by a link where it does not go by itself. */
function Done({ app, address }: { app: string; address: string }) {
  const { t } = useTranslation('tunnels')
  useEffect(() => location.assign(address), [address])
  return (
    <div role="status" className={styles.form}>
      <strong>{t('ask.done')}</strong>
      <p>{t('ask.leading', { app })}</p>
      <Anchor href={address} rel="noreferrer">
        {t('ask.goOn', { app })}
      </Anchor>
    </div>
  )
}
