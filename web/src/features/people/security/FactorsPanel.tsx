import { Alert, Badge, Button, Flex } from '@mantine/core'
import type { Factors, Passkey } from '@vigil/contract/people/factors.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { confirm } from '../../../ui/confirm.tsx'
import items from '../../../ui/Items.module.css'
import { Failed } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Ago, useTimeText } from '../../../ui/time.tsx'
import shared from '../../../ui/shared.module.css'
import { CodesDialog, PasskeyDialog, TotpDialog } from './FactorDialogs.tsx'
import { canUsePasskeys } from '../door/index.ts'
import { useFactors, useKeepFactors, useNewCodes, useRemoveFactor } from './security.api.ts'
import { FormAlert } from '../../../ui/FormAlert.tsx'

/** The second factors: an authenticator app, passkeys, recovery codes. */
export function FactorsPanel() {
  const { t } = useTranslation('security')
  const { data, error, refetch } = useFactors()
  const [dialog, setDialog] = useState<'totp' | 'passkey' | null>(null)
  const [codes, setCodes] = useState<readonly string[]>([])
  const shown = (made: readonly string[]) => {
    setDialog(null)
    setCodes(made)
  }
  return (
    <Panel title={t('factors.title')}>
      <p className={items.soft}>{t('factors.lead')}</p>
      {error ? (
        <Failed title={t('factors.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <FactorList factors={data} onAdd={setDialog} onCodes={setCodes} />
      )}
      {dialog === 'totp' && <TotpDialog onClose={() => setDialog(null)} onDone={shown} />}
      {dialog === 'passkey' && <PasskeyDialog onClose={() => setDialog(null)} onDone={shown} />}
      {codes.length > 0 && <CodesDialog codes={codes} onClose={() => setCodes([])} />}
    </Panel>
  )
}

interface FactorListProps {
  factors: Factors | undefined
  onAdd: (kind: 'totp' | 'passkey') => void
  onCodes: (codes: readonly string[]) => void
}

function FactorList({ factors, onAdd, onCodes }: FactorListProps) {
  const { t } = useTranslation('security')
  const [removing, renewing] = [useRemoveFactor(), useNewCodes()]
  async function remove(one: Passkey | 'totp') {
    const name = one === 'totp' ? t('totp.title') : one.name
    const question = { title: t('factors.ask', { name }), text: t('factors.askText') }
    if (await confirm({ ...question, action: t('factors.remove'), tone: 'bad' })) removing.mutate(one)
  }
  async function renew() {
    const question = { title: t('codes.ask'), text: t('codes.askText'), action: t('codes.renew') }
    if (await confirm(question))
      renewing.mutate(undefined, { onSuccess: ({ recovery_codes: made }) => onCodes(made) })
  }
  const hasAny = factors && (factors.totp || factors.passkeys.length > 0)
  return (
    <>
      <ResetAlert resetAt={factors?.reset_at ?? null} />
      <FormAlert error={removing.error ?? renewing.error} />
      <ul className={shared.list} aria-busy={!factors}>
        <Item title={t('totp.title')} text={t('totp.text')} isOn={factors?.totp}>
          {factors &&
            (factors.totp ? (
              <Button onClick={() => void remove('totp')}>{t('factors.remove')}</Button>
            ) : (
              <Button onClick={() => onAdd('totp')}>{t('totp.add')}</Button>
            ))}
        </Item>
        <Item title={t('passkeys.title')} text={t(canUsePasskeys() ? 'passkeys.text' : 'passkeys.nowhere')}>
          {canUsePasskeys() && factors && (
            <Button onClick={() => onAdd('passkey')}>{t('passkeys.add')}</Button>
          )}
        </Item>
        {factors?.passkeys.map((one) => (
          <PasskeyItem key={one.id} passkey={one} onRemove={() => void remove(one)} />
        ))}
        {hasAny && (
          <Item title={t('codes.title')} text={t('codes.left', { count: factors.recovery_codes_left })}>
            <Button loading={renewing.isPending} onClick={() => void renew()}>
              {t('codes.renew')}
            </Button>
          </Item>
        )}
      </ul>
    </>
  )
}

/** Somebody asked an administrator to remove the factors: who is signed in can object. */
function ResetAlert({ resetAt }: { resetAt: string | null }) {
  const { t } = useTranslation('security')
  const { moment } = useTimeText()
  const keeping = useKeepFactors()
  const at = ms(resetAt)
  if (at === null) return null
  return (
    <Alert color="warn" title={t('keep.pending')} role="status">
      <p>{t('keep.pendingText', { at: moment(at) })}</p>
      <FormAlert error={keeping.error} />
      <Button loading={keeping.isPending} onClick={() => keeping.mutate(null)}>
        {t('keep.button')}
      </Button>
    </Alert>
  )
}

interface ItemProps {
  title: string
  text: string
  isOn?: boolean | undefined
  children: React.ReactNode
}

function Item({ title, text, isOn, children }: ItemProps) {
  const { t } = useTranslation('security')
  return (
    <li className={items.item} data-tall>
      <div className={items.words}>
        <Flex component="span" wrap="wrap" gap={8}>
          <span className={items.name}>{title}</span>
          {isOn && (
            <Badge variant="light" tt="none" color="good">
              {t('factors.on')}
            </Badge>
          )}
        </Flex>
        <span className={items.soft}>{text}</span>
      </div>
      {children}
    </li>
  )
}

function PasskeyItem({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { t } = useTranslation('security')
  const usedAt = ms(passkey.last_used_at)
  return (
    <li className={items.item} data-tall>
      <div className={items.words}>
        <span className={items.name}>{passkey.name}</span>
        <span className={items.soft}>
          {usedAt === null ? (
            t('passkeys.unused')
          ) : (
            <>
              {t('sessions.used')} <Ago at={usedAt} />
            </>
          )}
        </span>
      </div>
      <Button aria-label={t('factors.removeOf', { name: passkey.name })} onClick={onRemove}>
        {t('factors.remove')}
      </Button>
    </li>
  )
}
