import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverUrl } from '../../../lib/base.ts'
import { useNow } from '../../../lib/clock.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useTimeText } from '../../../ui/time.tsx'
import styles from './ActingBanner.module.css'
import { useStopActing } from './admin.api.ts'

/** What is loaded is somebody else's: all of it is loaded anew. */
const leave = () => location.assign(serverUrl(paths.admin))

/** Says on every page, above everything, that one is somebody else here, and until when. */
export function ActingBanner() {
  const { acting, user } = useBootstrap()
  if (acting === null || user === null) return null
  return <Banner email={user.email} until={ms(acting.until) ?? 0} />
}

function Banner({ email, until }: { email: string; until: number }) {
  const { t } = useTranslation('admin')
  const { span } = useTimeText()
  const now = useNow()
  const stop = useStopActing()
  const [hasLeft, setHasLeft] = useState(false)
  const isOver = now >= until
  useEffect(() => {
    if (!isOver || hasLeft) return
    setHasLeft(true)
    leave()
  }, [isOver, hasLeft])
  return (
    <>
      <div role="alert" className={styles.banner}>
        <p>
          {t('acting.banner', { email })} {t('acting.note')}
        </p>
        <span>{t('acting.left', { span: span(Math.max(0, (until - now) / 1000)) })}</span>
        <Button
          size="xs"
          loading={stop.isPending}
          onClick={() => stop.mutate(undefined, { onSuccess: leave })}
        >
          {t('acting.stop')}
        </Button>
        {stop.error && <span>{t('acting.failed')}</span>}
      </div>
      <div className={styles.edge} aria-hidden />
    </>
  )
}
