import { Box, Button, Stack } from '@mantine/core'
import type { AuthorizedApp } from '@vigil/contract/people/tokens.ts'
import type { UseMutationResult } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { dateFormat, ms } from '../../../lib/format.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Ago } from '../../../ui/time.tsx'
import items from '../../../ui/Items.module.css'

interface TokenRowProps {
  token: Omit<AuthorizedApp, 'app'>
  name: string
  /** The last characters of a key. */
  hint?: string
  /** Where it prints, or what it may do. */
  reach: string
  /** From where it was used last. */
  address?: string | null
  revoking: UseMutationResult<null, Error, number>
  question: { title: string; text: string }
}

/** One key or program: what it may do, when it was last used, and its end. */
export function TokenRow({ token, name, hint, reach, address, revoking, question }: TokenRowProps) {
  const { t, i18n } = useTranslation('slicers')
  const problemText = useProblemText()
  const endsAt = ms(token.expires_at)
  const usedAt = ms(token.last_used_at)
  async function revoke() {
    if (await confirm({ ...question, action: t('revoke'), tone: 'bad' })) revoking.mutate(token.id)
  }
  return (
    <li className={items.item}>
      <Stack gap={3} miw={0} flex="1 1 170px">
        <span className={items.name}>
          {name}
          {hint !== undefined && (
            <Box component="code" ml={8} fz={13} fw={400} c="dimmed">
              …{hint}
            </Box>
          )}
        </span>
        <span className={items.soft}>{reach}</span>
        <span className={items.soft}>
          {usedAt === null ? (
            t('neverUsed')
          ) : (
            <>
              {t('used')} <Ago at={usedAt} />
              {address && ` ${t('usedFrom', { address })}`}
            </>
          )}
          {endsAt !== null && (
            <> · {t('ends', { day: dateFormat(i18n.language, { dateStyle: 'medium' }).format(endsAt) })}</>
          )}
        </span>
        {revoking.error && (
          <Box component="span" role="alert" m={0} c="var(--v-bad)">
            {problemText(problemOf(revoking.error))}
          </Box>
        )}
      </Stack>
      <Button
        aria-label={t('revokeOf', { name })}
        loading={revoking.isPending && revoking.variables === token.id}
        onClick={() => void revoke()}
      >
        {t('revoke')}
      </Button>
    </li>
  )
}
