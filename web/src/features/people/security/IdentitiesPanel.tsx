import { Button, Group } from '@mantine/core'
import type { Identity } from '@vigil/contract/people/identities.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { confirm } from '../../../ui/confirm.tsx'
import items from '../../../ui/Items.module.css'
import { Failed } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { Ago } from '../../../ui/time.tsx'
import { FormAlert } from '../../../ui/FormAlert.tsx'
import { ProviderLogo, ProviderTrouble } from '../door/index.ts'
import { useConnect, useDisconnect, useIdentities } from './security.api.ts'

/** Providers by which one signs in: connected, and taken out. Absent where the server has none. */
export function IdentitiesPanel() {
  const { t } = useTranslation('security')
  const { providers } = useBootstrap()
  const { data, error, refetch } = useIdentities()
  const [connecting, disconnecting] = [useConnect(), useDisconnect()]
  if (providers.length === 0 && !data?.length) return null
  async function remove({ id, name }: Identity) {
    const question = { title: t('providers.ask', { name }), text: t('factors.askText') }
    if (await confirm({ ...question, action: t('providers.remove'), tone: 'bad' })) disconnecting.mutate(id)
  }
  const open = data && providers.filter(({ id }) => !data.some(({ provider }) => provider === id))
  return (
    <Panel title={t('providers.title')}>
      <ProviderTrouble />
      <FormAlert error={connecting.error ?? disconnecting.error} />
      {error ? (
        <Failed title={t('providers.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <ul className={shared.list} aria-busy={!data}>
          {data?.map((one) => (
            <IdentityItem key={one.id} identity={one} onRemove={() => void remove(one)} />
          ))}
          {open?.map((one) => (
            <li key={one.id} className={items.item} data-tall>
              <Group component="span" className={items.name} gap={8} wrap="nowrap">
                <ProviderLogo provider={one} /> {one.name}
              </Group>
              <Button
                aria-label={t('providers.addOf', { name: one.name })}
                loading={connecting.isPending && connecting.variables === one.id}
                onClick={() => connecting.mutate(one.id)}
              >
                {t('providers.add')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function IdentityItem({ identity, onRemove }: { identity: Identity; onRemove: () => void }) {
  const { t } = useTranslation('security')
  const usedAt = ms(identity.last_used_at)
  return (
    <li className={items.item} data-tall>
      <div className={items.words}>
        <span className={items.name}>{identity.name}</span>
        <span className={items.soft}>
          {identity.email}
          {usedAt !== null && (
            <>
              {identity.email !== '' && ' · '}
              {t('sessions.used')} <Ago at={usedAt} />
            </>
          )}
        </span>
      </div>
      <Button aria-label={t('providers.removeOf', { name: identity.name })} onClick={onRemove}>
        {t('providers.remove')}
      </Button>
    </li>
  )
}
