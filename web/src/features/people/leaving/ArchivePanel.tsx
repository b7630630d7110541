import { Box, Button, Stack } from '@mantine/core'
import type { Archive, Leaving } from '@vigil/contract/people/leaving.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { dateAndTime, ms } from '../../../lib/format.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { useBytes } from '../../../ui/useBytes.ts'
import { FormAlert } from '../../../ui/FormAlert.tsx'
import { archiveUrl, useMakeArchive } from './leaving.api.ts'

/** All that is somebody's, as one file: made by the server, fetched in the session that asked for it. */
export function ArchivePanel({ of: { archive, is_mailed: isMailed } }: { of: Leaving }) {
  const { t } = useTranslation('leaving')
  const { mutate, isPending, error } = useMakeArchive()
  const isMade = archive?.state === 'waiting' || archive?.state === 'running'
  return (
    <Panel title={t('archive.title')}>
      <Stack gap={14} mt={14}>
        <p className={shared.soft}>{t('archive.lead')}</p>
        <FormAlert error={error} />
        {archive && <ArchiveState archive={archive} />}
        {isMade ? (
          <Box component="p" fz={13.5} c="dimmed">
            {t(isMailed ? 'archive.mail' : 'archive.noMail')}
          </Box>
        ) : (
          <div className={shared.buttons}>
            {archive?.state === 'ready' && archive.is_here && <Fetch archive={archive} />}
            <Button loading={isPending} onClick={() => mutate()}>
              {t(archive ? 'archive.again' : 'archive.make')}
            </Button>
          </div>
        )}
      </Stack>
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
        <p className={shared.soft}>{isHere ? t('archive.until', { at }) : t('archive.elsewhere')}</p>
        {missing > 0 && (
          <Box component="p" fz={13.5} c="dimmed">
            {t('archive.missing', { count: missing })}
          </Box>
        )}
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
      <p className={shared.soft}>{words}</p>
      <Bar value={total === 0 ? 0 : (done / total) * 100} aria-label={words} animated={total === 0} />
    </div>
  )
}
