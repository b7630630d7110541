import { Anchor, Box, Button, Group, Radio, Stack } from '@mantine/core'
import { IconCheck, IconArrowsExchange, IconPrinter, IconPuzzle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useQueryValues } from '../../../lib/address.ts'
import { serverUrl } from '../../../lib/base.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTitle } from '../../../lib/title.ts'
import { ownPrintersQuery } from '../../../printer/printers.api.ts'
import { StatePill } from '../../../printer/StatePill.tsx'
import { Brand } from '../../../ui/Brand.tsx'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { platformOf, markOf, type Platform } from './apps.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Ask.module.css'
import { AskFrame } from './AskFrame.tsx'
import { targetOf, type Target, withEndpoint } from './redirect.ts'
import { useAuthorize } from './tunnels.api.ts'

const MOST_NAME = 64

/** An app asks to reach a printer's own page (docs/wire/remote.md): in all its states, from a stranger to done. */
export default function AuthorizeScreen() {
  const { t } = useTranslation('tunnels')
  const { user } = useBootstrap()
  const values = useQueryValues()
  const app = (values['app'] ?? '').trim().slice(0, MOST_NAME) || t('ask.unknownApp')
  const platform = platformOf(app, values['platform'])
  const target = targetOf(values['success_redirect_url'], serverUrl(paths.tunnelSucceeded))
  useTitle(t('ask.title', { app }))
  const frame = (title: string, children: ReactNode) => (
    <AskFrame title={title} above={<Marks app={app} platform={platform} />}>
      {children}
    </AskFrame>
  )
  if (target === null) return frame(t('ask.badTarget'), <p role="alert">{t('ask.badTargetText', { app })}</p>)
  if (!user) return frame(t('ask.title', { app }), <Stranger app={app} platform={platform} />)
  return frame(
    t('ask.title', { app }),
    <Owner asking={{ app, platform, target }} only={Number(values['printer_id'])} />,
  )
}

/** This page with what was asked, as others lead back to it. */
function useHere(): string {
  const { pathname, searchStr } = useLocation()
  return pathname + searchStr
}

type Stranger = Omit<Asking, 'target'>

/** Signed out: what it is, what it costs, and the way in. */
function Stranger({ app, platform }: Stranger) {
  const { t } = useTranslation('tunnels')
  const { settings, page_context: context } = useBootstrap()
  const search = { hide_navbar: 'true', next: useHere() }
  const product = t(`platform.${platform}`)
  return (
    <>
      <p>{t('ask.stranger', { app, product, brand: context.syndicate.display_name })}</p>
      <ul className={styles.benefits}>
        {(['anywhere', 'camera', 'detection'] as const).map((one) => (
          <li key={one}>
            <IconCheck size={18} stroke={2} aria-hidden /> {t(`ask.benefits.${one}`, { app, product })}
          </li>
        ))}
        <li>
          <IconCheck size={18} stroke={2} aria-hidden />{' '}
          {t(settings.IS_ENT ? 'ask.benefits.free' : 'ask.benefits.own')}
        </li>
      </ul>
      <Stack gap={14}>
        <Button
          variant="filled"
          fullWidth
          renderRoot={(props) => <Link {...props} to={paths.login} search={search} />}
        >
          {t('ask.signIn')}
        </Button>
        {settings.ACCOUNT_ALLOW_SIGN_UP && (
          <Button fullWidth renderRoot={(props) => <Link {...props} to={paths.signUp} search={search} />}>
            {t('ask.signUp')}
          </Button>
        )}
      </Stack>
    </>
  )
}

function Owner({ asking, only }: { asking: Asking; only: number }) {
  const { t } = useTranslation('tunnels')
  const { data, error, refetch } = useQuery(ownPrintersQuery)
  if (error && !data)
    return <Failed title={t('ask.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
  if (!data) return <Box aria-busy="true" mih={120} />
  const inUse = data.filter((printer) => !printer.archived_at)
  const wanted = inUse.filter(({ id }) => id === only)
  if (inUse.length === 0) return <NoPrinter {...asking} />
  return (
    <>
      <ChooseForm asking={asking} printers={wanted.length > 0 ? wanted : inUse} />
      <Ways />
    </>
  )
}

/** Signed in without a printer: it is linked first, and then asked again. */
function NoPrinter({ app, platform }: Asking) {
  const { t } = useTranslation('tunnels')
  const search = { redirectToTunnelCreation: useHere() }
  return (
    <>
      <p>{t('ask.welcome', { app, product: t(`platform.${platform}`) })}</p>
      <Button
        variant="filled"
        fullWidth
        mt={2}
        renderRoot={(props) => <Link {...props} to={paths.wizard} search={search} />}
      >
        {t('ask.link')}
      </Button>
      <Ways />
    </>
  )
}

function Ways() {
  const { t } = useTranslation('tunnels')
  return (
    <p className={styles.ways}>
      <Anchor renderRoot={(props) => <Link {...props} to={paths.apps} />}>{t('ask.manage')}</Anchor>
      <Anchor renderRoot={(props) => <Link {...props} to={paths.logout} />}>{t('ask.logOut')}</Anchor>
    </p>
  )
}

/** Who asks, for what, through whom. */
function Marks({ app, platform }: { app: string; platform: Platform }) {
  const { t } = useTranslation('tunnels')
  const mark = markOf(app)
  return (
    <Group gap={10} wrap="nowrap" c="var(--v-faint)" aria-hidden>
      <span className={styles.mark}>{mark ?? <IconPuzzle size={24} stroke={1.5} />}</span>
      <IconArrowsExchange size={18} stroke={1.5} />
      <Box component="span" c="var(--v-ink)">
        <Brand size={24} />
      </Box>
      <IconArrowsExchange size={18} stroke={1.5} />
      <span className={styles.mark} title={t(`platform.${platform}`)}>
        <IconPrinter size={24} stroke={1.5} />
      </span>
    </Group>
  )
}

/** What an app asks for. */
interface Asking {
  readonly app: string
  readonly platform: Platform
  readonly target: Target
}

/** Which printer the app may reach, and the leave itself; then its endpoint is handed over. */
function ChooseForm({ asking, printers }: { asking: Asking; printers: readonly Printer[] }) {
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
      className={shared.fields}
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen !== null) authorizing.mutate({ app, printerId: Number(chosen) })
      }}
    >
      <p>{t('ask.may', { app })}</p>
      <Choices printers={printers} chosen={chosen} onChoose={choose} />
      {target.kind !== 'own' && (
        <p className={shared.soft}>
          {t(target.kind === 'app' ? 'ask.toApp' : 'ask.toSite', { name: target.name })}
        </p>
      )}
      {authorizing.error && (
        <p role="alert" className={shared.bad}>
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
    <div role="status" className={shared.fields}>
      <strong>{t('ask.done')}</strong>
      <p>{t('ask.leading', { app })}</p>
      <Anchor href={address} rel="noreferrer">
        {t('ask.goOn', { app })}
      </Anchor>
    </div>
  )
}
