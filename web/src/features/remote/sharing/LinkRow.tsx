import { Box, Button, Group } from '@mantine/core'
import type { ShareLink } from '@vigil/contract/remote/sharing.ts'
import { IconClockOff, IconEye, IconLock } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { LinkField } from '../../../ui/LinkField.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Ago, useTimeText } from '../../../ui/time.tsx'
import { LinkForm } from './LinkForm.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './Sharing.module.css'
import { linksQuery, revokeLink } from './sharing.api.ts'

interface LinkRowProps {
  link: ShareLink
  /** Address of the server, as viewers reach it. */
  server: string
  /** The PIN, where it was given to the link just now. */
  pin?: string | undefined
  onSaved: (saved?: { link: ShareLink; pin: string }) => void
}

/** One link: its address below that of the server, who looks through it, how long it holds, and its end. */
export function LinkRow({ link, server, pin, onSaved }: LinkRowProps) {
  const { t } = useTranslation('sharing')
  const client = useQueryClient()
  const problemText = useProblemText()
  const [editing, setEditing] = useState(false)
  const url = server + paths.shared(link.share_token)
  const label = link.label || (link.is_default ? t('default') : t('unnamed'))
  const revoking = useMutation({
    mutationFn: () => revokeLink(link.id),
    onSettled: () => client.invalidateQueries({ queryKey: linksQuery(link.printer_id).queryKey }),
  })

  async function revoke() {
    const sure = await confirm({
      title: t('revoke.title', { label }),
      text: link.viewers > 0 ? t('revoke.viewers', { count: link.viewers }) : t('revoke.text'),
      action: t('revoke.action'),
      tone: 'bad',
    })
    if (sure) revoking.mutate()
  }

  return (
    <li className={styles.link} data-ended={link.has_ended || undefined}>
      <div className={styles.linkHead}>
        <strong>{label}</strong>
        <LinkFacts link={link} pin={pin} />
      </div>
      {link.share_token === '' ? (
        <p className={shared.small}>{t('kept')}</p>
      ) : (
        <LinkField address={url} label={t('address', { label })} copy={t('copy')} />
      )}
      {revoking.error && (
        <p role="alert" className={shared.problem}>
          {problemText(problemOf(revoking.error))}
        </p>
      )}
      {editing ? (
        <LinkForm
          printerId={link.printer_id}
          link={link}
          onDone={(saved) => {
            setEditing(false)
            onSaved(saved)
          }}
        />
      ) : (
        <Group gap={4} wrap="nowrap">
          <Box component="span" flex={1} fz={13} c="var(--v-faint)">
            {link.last_used_at ? (
              <>
                {t('used')} <Ago at={ms(link.last_used_at) ?? 0} />
              </>
            ) : (
              t('neverUsed')
            )}
          </Box>
          <Button
            size="xs"
            variant="subtle"
            aria-label={t('editOf', { label })}
            onClick={() => setEditing(true)}
          >
            {t('edit')}
          </Button>
          <Button
            size="xs"
            variant="subtle"
            color="bad"
            aria-label={t('revokeOf', { label })}
            loading={revoking.isPending}
            onClick={() => void revoke()}
          >
            {t('revoke.button')}
          </Button>
        </Group>
      )}
    </li>
  )
}

function LinkFacts({ link, pin }: Pick<LinkRowProps, 'link' | 'pin'>) {
  const { t } = useTranslation('sharing')
  const { moment } = useTimeText()
  const endsAt = ms(link.ends_at)
  return (
    <span className={styles.facts}>
      <span data-live={link.viewers > 0 || undefined}>
        <IconEye size={15} stroke={1.75} aria-hidden /> {t('viewers', { count: link.viewers })}
      </span>
      {link.has_pin && (
        <span>
          <IconLock size={15} stroke={1.75} aria-hidden /> {t('pin')} {pin && <strong>{pin}</strong>}
        </span>
      )}
      {endsAt !== null && (
        <span>
          <IconClockOff size={15} stroke={1.75} aria-hidden />{' '}
          {t(link.has_ended ? 'ended' : 'ends', { moment: moment(endsAt) })}
        </span>
      )}
    </span>
  )
}
