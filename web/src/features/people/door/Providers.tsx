import { Alert, Button, Stack } from '@mantine/core'
import { IconAlertTriangle, IconBrandApple, IconBrandGoogle } from '@tabler/icons-react'
import type { Provider } from '@vigil/contract/people/accounts.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { useQueryValues } from '../../../lib/address.ts'
import { serverUrl } from '../../../lib/base.ts'
import { useBootstrap } from '../../../lib/session.ts'
import styles from './Door.module.css'

/** Its picture, where it has one. */
export function ProviderLogo({ provider: { id, logo } }: { provider: Provider }) {
  if (logo !== null) return <img src={logo} alt="" className={styles.logo ?? ''} />
  if (id === 'google') return <IconBrandGoogle size={18} stroke={1.75} />
  if (id === 'apple') return <IconBrandApple size={18} stroke={1.75} />
  return null
}

/** Signing in by somebody else's server: the browser goes there. */
export function ProviderDoors() {
  const { t } = useTranslation('security')
  const { providers } = useBootstrap()
  const { next } = useQueryValues()
  const query = next ? `?${new URLSearchParams({ next }).toString()}` : ''
  if (providers.length === 0) return null
  return (
    <Stack gap={14} mt={14}>
      {providers.map((one) => (
        <Button
          key={one.id}
          component="a"
          href={serverUrl(`/accounts/${one.id}/login/${query}`)}
          fullWidth
          leftSection={<ProviderLogo provider={one} />}
        >
          {t('providers.signIn', { name: one.name })}
        </Button>
      ))}
    </Stack>
  )
}

const TROUBLES = ['away', 'cancelled', 'over', 'closed', 'taken', 'unconfirmed', 'noEmail'] as const
const isTrouble = (word: string | undefined): word is (typeof TROUBLES)[number] =>
  TROUBLES.some((one) => one === word)

/** Why nobody was signed in, or nothing connected, at a provider. */
export function ProviderTrouble() {
  const { t } = useTranslation('security')
  const { providers } = useBootstrap()
  const { trouble, provider } = useQueryValues()
  if (!isTrouble(trouble)) return null
  const name = providers.find(({ id }) => id === provider)?.name ?? t('providers.unknown')
  return (
    <Alert mt={14} color="bad" role="alert" icon={<IconAlertTriangle size={18} stroke={1.75} />}>
      {t(`providers.trouble.${trouble}`, { name })}
    </Alert>
  )
}
