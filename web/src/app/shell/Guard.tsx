import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from '../../lib/translation.ts'
import type { User } from '@vigil/contract/people/accounts.ts'
import { useQueryValues } from '../../lib/address.ts'
import { basePath, serverUrl } from '../../lib/base.ts'
import { tryNow, useLine } from '../../lib/line.ts'
import { paths, safeNext } from '../../lib/paths.ts'
import { leftByThemselves, useBootstrap } from '../../lib/session.ts'
import { wasWelcomed } from '../../lib/stored.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { GoTo } from '../../ui/GoTo.tsx'
import { useTimeText } from '../../ui/time.tsx'
import { Crashed } from './Crashed.tsx'
import styles from './LineBanner.module.css'
import { NotFoundScreen } from './NotFoundScreen.tsx'
import { Shell } from './Shell.tsx'
import { lazily } from '../../ui/lazily.tsx'

/**
 * `member`: signed in. `alone`: the same, without the frame. `guest`: signed out. `anyone`: both, always without the frame of the signed-in. `everyone`:
 * both, in that frame for who is signed in. `admin`: who looks after this server; to others there is no such page.
 */
export type Access = 'member' | 'alone' | 'admin' | 'guest' | 'anyone' | 'everyone'

/** Pages that the server draws by itself, and those that have a policy of their own: the browser loads them. */
const SERVER_PAGE = /^\/(o|mobile|alerts|tunnels?|octoprint|ent_pub\/pricing|jusprin)\//

/** Whoever tries a plan is welcomed when they first sign in here, however long ago they signed up. */
const isNewHere = ({ id, subscription }: User) => subscription?.plan_id === 'pro-trial' && !wasWelcomed(id)

/** Leads to a page that is not of this client: the browser loads it. */
function LoadPage({ path }: { path: string }) {
  useEffect(() => location.replace(serverUrl(path)), [path])
  return null
}

const ActingBanner = lazily(
  async () => (await import('../../features/people/admin/ActingBanner.tsx')).ActingBanner,
)

/** Lets a screen be seen by whom it is for, and sends everyone else where they can go on. */
export function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const { user, is_admin: isAdmin, acting } = useBootstrap()
  const place = useLocation()
  // What this screen was opened with: the location is the next one's already while that one still loads.
  const { next: wanted } = useQueryValues()
  const wasIn = useRef(user !== null)
  const screen = (
    <>
      <LineBanner />
      <Boundary of={place.pathname} instead={(error) => <Crashed error={error} />}>
        {children}
      </Boundary>
    </>
  )

  if ((access === 'member' || access === 'alone' || access === 'admin') && !user) {
    const next = place.pathname === paths.printers ? undefined : place.pathname + place.searchStr
    const ended = wasIn.current && !leftByThemselves()
    return <GoTo to={paths.login} search={{ ...(next && { next }), ...(ended && { ended: 'true' }) }} />
  }
  if (access === 'guest' && user) {
    const isNew = wanted === undefined && isNewHere(user)
    const next = isNew ? paths.welcome : safeNext(wanted, basePath)
    if (SERVER_PAGE.test(next)) return <LoadPage path={next} />
    const { pathname, searchParams } = new URL(next, location.href)
    return <GoTo to={pathname} search={Object.fromEntries(searchParams)} />
  }
  if (access === 'admin' && !isAdmin) return <NotFoundScreen />
  const page = user && access !== 'anyone' && access !== 'alone' ? <Shell>{screen}</Shell> : screen
  return acting === null ? (
    page
  ) : (
    <>
      <ActingBanner />
      {page}
    </>
  )
}

/** Says on every page when it no longer shows what is now, and since when. Gone when the line is back. */
function LineBanner() {
  const { t } = useTranslation('common')
  const { moment } = useTimeText()
  const { lost, since, offline } = useLine()
  const ref = useRef<HTMLDivElement>(null)

  // What else stands at the top makes room (`--v-banner`).
  useLayoutEffect(() => {
    const { style } = document.documentElement
    if (ref.current) style.setProperty('--v-banner', `${ref.current.offsetHeight + 8}px`)
    return () => void style.removeProperty('--v-banner')
  }, [lost])

  return (
    <div role="status" className={styles.place}>
      {lost && (
        <div ref={ref} className={styles.banner}>
          <IconPlugConnectedX size={18} stroke={1.75} aria-hidden />
          <span>
            <strong>{t(offline ? 'line.offline' : 'line.lost', { moment: moment(since) })}</strong>{' '}
            <span>{t('line.trying')}</span>
          </span>
          <Button size="xs" onClick={tryNow}>
            {t('line.now')}
          </Button>
        </div>
      )}
    </div>
  )
}
