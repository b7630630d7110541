import { Button } from '@mantine/core'
import type { Archive, Leaving } from '@vigil/contract/people/leaving.ts'
import { useTranslation } from 'react-i18next'
import { dateAndTime, ms } from '../../../lib/format.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { useBytes } from '../../../ui/useBytes.ts'
import { FormAlert } from './FormAlert.tsx'
import { archiveUrl, useMakeArchive } from './leaving.api.ts'
import styles from './Security.module.css'

/** All that is somebody's, as one file: made by the server, fetched in the session that asked for it. */
export function ArchivePanel({ of: { archive, is_mailed: isMailed } }: { of: Leaving }) {
  const { t } = useTranslation('leaving')
  const { mutate, isPending, error } = useMakeArchive()
  const isMade = archive?.state === 'waiting' || archive?.state === 'running'
  return (
    <Panel title={t('archive.title')}>
      <div className={styles.form}>
        <p className={styles.lead}>{t('archive.lead')}</p>
        <FormAlert error={error} />
        {archive && <ArchiveState archive={archive} />}
        {isMade ? (
          <p className={styles.soft}>{t(isMailed ? 'archive.mail' : 'archive.noMail')}</p>
        ) : (
          <div className={shared.buttons}>
            {archive?.state === 'ready' && archive.is_here && <Fetch archive={archive} />}
            <Button loading={isPending} onClick={() => mutate()}>
              {t(archive ? 'archive.again' : 'archive.make')}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  )
}

function Fetch({ archive }: { archive: Archive }) {
  const { t } = useTranslation('leaving')
  const bytes = useBytes()
  return (
    <Button variant="filled" component="a" href={archiveUrl()} download>
      {t('archive.fetch', { size: bytes(archive.num_bytes ?? 0) })}
    </Button>
  )
}

function ArchiveState({ archive }: { archive: Archive }) {
  const { t, i18n } = useTranslation('leaving')
  const { state, done, total, missing, is_here: isHere } = archive
  if (state === 'failed')
    return (
      <p role="alert" className={shared.bad}>
        {t('archive.failed')}
      </p>
    )
  if (state === 'ready') {
    const until = ms(archive.expires_at)
    const at = until === null ? '' : dateAndTime(i18n.language, until)
    return (
      <div role="status">
        <p className={styles.lead}>{isHere ? t('archive.until', { at }) : t('archive.elsewhere')}</p>
        {missing > 0 && <p className={styles.soft}>{t('archive.missing', { count: missing })}</p>}
      </div>
    )
  }
  const words =
    state === 'waiting'
      ? t('archive.waiting')
      : total === 0
        ? t('archive.counting')
        : t('archive.running', { done, count: total })
  return (
    <div role="status">
      <p className={styles.lead}>{words}</p>
      <Bar value={total === 0 ? 0 : (done / total) * 100} aria-label={words} animated={total === 0} />
    </div>
  )
}
