import { Box, Button, Skeleton, Switch } from '@mantine/core'
import type { ShareLink } from '@vigil/contract/remote/sharing.ts'
import { IconLock, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { useGiven } from '../../../lib/reach.ts'
import { AddressNote } from '../../../ui/AddressNote.tsx'
import { useMessages } from '../../../lib/catalogue.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { Failed, Notice, useProblemText } from '../../../ui/Notice.tsx'
import { LinkForm } from './LinkForm.tsx'
import { LinkRow } from './LinkRow.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './Sharing.module.css'
import { linksQuery, switchOff, switchOn } from './sharing.api.ts'

interface ShareDialogProps {
  printerId: number
  name: string
  onClose: () => void
}

/** Who may see this camera: on or off, and one link for each group of viewers. */
export function ShareDialog({ printerId, name, onClose }: ShareDialogProps) {
  const { t } = useTranslation('sharing')
  const { user, settings } = useBootstrap()
  const allowed = !settings.IS_ENT || user?.is_pro === true
  return (
    <Dialog onClose={onClose} size={560} title={t('title', { name })}>
      {allowed ? <Sharing printerId={printerId} /> : <ProOnly onClose={onClose} />}
    </Dialog>
  )
}

function ProOnly({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('sharing')
  const message = useMessages()
  return (
    <Notice
      picture={<IconLock size={32} stroke={1.5} />}
      title={message('sharingIsPro')}
      actions={<Button onClick={onClose}>{t('close')}</Button>}
    >
      {t('proText')}
    </Notice>
  )
}

function Sharing({ printerId }: { printerId: number }) {
  const { t } = useTranslation('sharing')
  const client = useQueryClient()
  const problemText = useProblemText()
  const { data: links, error, refetch } = useQuery(linksQuery(printerId))
  const [adding, setAdding] = useState(false)
  const given = useGiven('everywhere')
  // The server keeps no PIN that can be read: it is shown as long as this stands, to be passed on.
  const [pins, setPins] = useState<Record<number, string>>({})
  const keepPin = (saved?: { link: ShareLink; pin: string }) => {
    if (saved?.pin) setPins((all) => ({ ...all, [saved.link.id]: saved.pin }))
  }
  const toggle = useMutation({
    mutationFn: async (on: boolean) => {
      if (on) await switchOn(printerId)
      else await switchOff(links ?? [])
    },
    onSettled: () => client.invalidateQueries({ queryKey: linksQuery(printerId).queryKey }),
  })

  if (!links && error)
    return <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
  if (!links) return <Skeleton height={120} aria-busy="true" />

  const on = links.length > 0
  async function change(wanted: boolean) {
    if (!wanted && !(await sure(links ?? []))) return
    toggle.mutate(wanted)
  }
  const sure = (all: ShareLink[]) =>
    confirm({
      title: t('off.title'),
      text: t('off.text', { count: all.length }),
      action: t('off.action'),
      tone: 'bad',
    })

  return (
    <>
      <Box pb={14}>
        <Switch
          label={t('share')}
          description={on ? t('onHint') : t('offHint')}
          checked={on}
          disabled={toggle.isPending}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
      </Box>
      {toggle.error && (
        <p role="alert" className={shared.problem}>
          {problemText(problemOf(toggle.error))}
        </p>
      )}
      {on && <AddressNote given={given} />}
      {on && (
        <ul className={styles.links}>
          {links.map((link) => (
            <LinkRow key={link.id} link={link} server={given.address} pin={pins[link.id]} onSaved={keepPin} />
          ))}
        </ul>
      )}
      {on && !adding && (
        <Button leftSection={<IconPlus size={16} stroke={2} />} onClick={() => setAdding(true)}>
          {t('add')}
        </Button>
      )}
      {on && adding && (
        <LinkForm
          printerId={printerId}
          onDone={(saved) => {
            setAdding(false)
            keepPin(saved)
          }}
        />
      )}
    </>
  )
}
