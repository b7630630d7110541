import { Badge, Button, Flex } from '@mantine/core'
import type { Session } from '@vigil/contract/people/sessions.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import items from '../../../ui/Items.module.css'
import { Panel } from '../../../ui/Panel.tsx'
import { Ago } from '../../../ui/time.tsx'
import { FormAlert } from '../../../ui/FormAlert.tsx'
import shared from '../../../ui/shared.module.css'
import { useEndSession, useSessions } from './security.api.ts'

/** Browsers and phones that are signed in; each can be signed out, and all others at once. */
export function SessionsPanel() {
  const { t } = useTranslation('security')
  const { data, error, refetch } = useSessions()
  const ending = useEndSession()
  async function end(id: number | 'others', name: string) {
    const question =
      id === 'others'
        ? { title: t('sessions.othersAsk'), text: t('sessions.othersText') }
        : { title: t('sessions.ask', { name }), text: t('sessions.askText') }
    if (await confirm({ ...question, action: t('sessions.end'), tone: 'bad' })) ending.mutate(id)
  }
  const hasOthers = data?.some(({ current }) => !current)
  return (
    <Panel
      title={t('sessions.title')}
      aside={
        hasOthers && (
          <Button
            loading={ending.isPending && ending.variables === 'others'}
            onClick={() => void end('others', '')}
          >
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      <FormAlert error={ending.error} />
      {error ? (
        <Failed title={t('sessions.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <ul className={shared.list} aria-busy={!data}>
          {data?.map((one) => (
            <SessionItem
              key={one.id}
              session={one}
              isEnding={ending.isPending && ending.variables === one.id}
              onEnd={(name) => void end(one.id, name)}
            />
          )) ?? <li className={items.item} data-tall data-empty />}
        </ul>
      )}
    </Panel>
  )
}

interface SessionItemProps {
  session: Session
  isEnding: boolean
  onEnd: (name: string) => void
}

function SessionItem({ session, isEnding, onEnd }: SessionItemProps) {
  const { t } = useTranslation('security')
  const usedAt = ms(session.last_used_at)
  const name = session.browser || t('sessions.unknown')
  return (
    <li className={items.item} data-tall>
      <div className={items.words}>
        <Flex component="span" wrap="wrap" gap={8}>
          <span className={items.name}>{name}</span>
          {session.current && (
            <Badge variant="light" tt="none" color="good">
              {t('sessions.this')}
            </Badge>
          )}
        </Flex>
        <span className={`${shared.soft} ${shared.fits}`}>
          {session.address !== '' && <>{session.address} · </>}
          {t('sessions.used')} {usedAt !== null && <Ago at={usedAt} />}
        </span>
      </div>
      {!session.current && (
        <Button aria-label={t('sessions.endOf', { name })} loading={isEnding} onClick={() => onEnd(name)}>
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}
