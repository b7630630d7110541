import { Skeleton, Switch } from '@mantine/core'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useGiven } from '../../../lib/reach.ts'
import { AddressNote } from '../../../ui/AddressNote.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { LinkField } from '../../../ui/LinkField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import styles from './PrintPage.module.css'
import { linkQuery, makeLink, revokeLink } from './print-page.api.ts'

interface ShareDialogProps {
  print: Print
  onClose: () => void
}

/** Whether this time-lapse is shown by a link, and which. */
export function ShareDialog({ print, onClose }: ShareDialogProps) {
  const { t } = useTranslation('print-page')
  const { data: link, error, refetch } = useQuery(linkQuery(print.id))
  return (
    <Dialog title={t('share.title')} size={520} onClose={onClose}>
      {link ? (
        <Sharing printId={print.id} url={link.url} obstacle={link.obstacle} />
      ) : error ? (
        <Failed title={t('share.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={90} aria-busy="true" />
      )}
    </Dialog>
  )
}

interface SharingProps {
  printId: number
  url: string | null
  obstacle: 'no_video' | 'switched_off' | null
}

function Sharing({ printId, url, obstacle }: SharingProps) {
  const { t } = useTranslation('print-page')
  const client = useQueryClient()
  const problemText = useProblemText()
  const toggle = useMutation({
    mutationFn: (on: boolean) => (on ? makeLink(printId) : revokeLink(printId)),
    onSuccess: (link) => client.setQueryData(linkQuery(printId).queryKey, link),
  })
  const on = url !== null
  async function change(wanted: boolean) {
    const sure =
      wanted ||
      (await confirm({
        title: t('share.off.title'),
        text: t('share.off.text'),
        action: t('share.off.action'),
        tone: 'bad',
      }))
    if (sure) toggle.mutate(wanted)
  }
  return (
    <>
      <Switch
        label={t('share.switch')}
        description={obstacle ? t(`share.${obstacle}`) : t(on ? 'share.onHint' : 'share.offHint')}
        checked={on}
        disabled={toggle.isPending || (!on && obstacle !== null)}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      {toggle.error && (
        <p role="alert" className={styles.error}>
          {problemText(problemOf(toggle.error))}
        </p>
      )}
      {url !== null && <Address url={url} />}
    </>
  )
}

/** The link at the address by which this server is reached from elsewhere. */
function Address({ url }: { url: string }) {
  const { t } = useTranslation('print-page')
  const given = useGiven('everywhere')
  const address = given.address + paths.sharedPrint(url.split('/').at(-2) ?? '')
  return (
    <>
      <AddressNote given={given} />
      <div className={styles.address}>
        <LinkField address={address} label={t('share.address')} copy={t('share.copy')} />
      </div>
    </>
  )
}
