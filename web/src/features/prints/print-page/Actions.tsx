import { ActionIcon, Box, Button, Menu, Skeleton, Switch } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArchive, IconDots, IconDownload, IconShare2, IconTrash } from '@tabler/icons-react'
import { useQueryClient, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useGiven } from '../../../lib/reach.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { useSupport } from '../../../lib/usePlaces.ts'
import { AddressNote } from '../../../ui/AddressNote.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { LinkField } from '../../../ui/LinkField.tsx'
import { useProblemText, Failed } from '../../../ui/Notice.tsx'
import shared from '../../../ui/shared.module.css'
import { printKey, removePrint, linkQuery, makeLink, revokeLink } from './print-page.api.ts'
import { PrintAgain } from './PrintAgain.tsx'

/** So much of a window has room for all of them. */
const WIDE = '(min-width: 48em)'

interface ActionsProps {
  print: Print
  printer: Printer | undefined
}

/** What can be done with a print; what has no room on a phone stands in the menu there. */
export function Actions({ print, printer }: ActionsProps) {
  const { t } = useTranslation('print-page')
  const [sharing, setSharing] = useState(false)
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false })
  const video = print.video_url ?? print.tagged_video_url
  const share = () => setSharing(true)
  return (
    <>
      {video && isWide && (
        <Button leftSection={<IconShare2 size={17} stroke={1.75} />} aria-haspopup="dialog" onClick={share}>
          {t('share.button')}
        </Button>
      )}
      {video && isWide && (
        <Button
          component="a"
          href={video}
          download={`${print.filename}.mp4`}
          leftSection={<IconDownload size={17} stroke={1.75} />}
        >
          {t('actions.download')}
        </Button>
      )}
      {printer && <PrintAgain print={print} printer={printer} />}
      <More print={print} video={video} onShare={isWide ? null : share} />
      {sharing && <ShareDialog print={print} onClose={() => setSharing(false)} />}
    </>
  )
}

interface MoreProps {
  print: Print
  video: string | null
  /** Null where it has a button of its own. */
  onShare: (() => void) | null
}

function More({ print, video, onShare }: MoreProps) {
  const { t } = useTranslation('print-page')
  const remove = useRemove(print)
  const { user } = useBootstrap()
  const support = useSupport()
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="default" aria-label={t('actions.more')}>
          <IconDots size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {video && onShare && (
          <>
            <Menu.Item leftSection={<IconShare2 size={17} stroke={1.75} />} onClick={onShare}>
              {t('share.button')}
            </Menu.Item>
            <Menu.Item
              component="a"
              href={video}
              download={`${print.filename}.mp4`}
              leftSection={<IconDownload size={17} stroke={1.75} />}
            >
              {t('actions.download')}
            </Menu.Item>
          </>
        )}
        {video && user?.is_pro && support && (
          <Menu.Item component="a" href={support.to} leftSection={<IconArchive size={17} stroke={1.75} />}>
            {t('actions.keep')}
          </Menu.Item>
        )}
        <Menu.Item
          color="bad"
          leftSection={<IconTrash size={17} stroke={1.75} />}
          onClick={() => void remove()}
        >
          {t('actions.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Asks first, deletes, says so, and goes back to the history. */
function useRemove(print: Print): () => Promise<void> {
  const { t } = useTranslation('print-page')
  const client = useQueryClient()
  const navigate = useNavigate()
  const problemText = useProblemText()
  return async () => {
    const sure = await confirm({
      title: t('delete.title'),
      text: t('delete.text', { count: 1 }),
      action: t('delete.action'),
      tone: 'bad',
    })
    if (!sure) return
    try {
      await removePrint(print.id)
    } catch (error) {
      toast(problemText(problemOf(error)), 'failed')
      return
    }
    toast(t('delete.done', { name: print.filename }), 'done')
    void client.invalidateQueries({ queryKey: ['prints'] })
    await navigate({ to: paths.history, replace: true })
    client.removeQueries({ queryKey: printKey(print.id) })
  }
}

interface ShareDialogProps {
  print: Print
  onClose: () => void
}

/** Whether this time-lapse is shown by a link, and which. */
function ShareDialog({ print, onClose }: ShareDialogProps) {
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
        <Box component="p" role="alert" mt={10} c="var(--v-bad)">
          {problemText(problemOf(toggle.error))}
        </Box>
      )}
      {url !== null && <Address url={url} />}
    </>
  )
}

/** The link at the address by which this server is reached from elsewhere. */
function Address({ url }: { url: string }) {
  const { t } = useTranslation('print-page')
  const given = useGiven('everywhere')
  if (url === '') return <p className={shared.small}>{t('share.kept')}</p>
  const address = given.address + paths.sharedPrint(url.split('/').at(-2) ?? '')
  return (
    <>
      <AddressNote given={given} />
      <Box mt={16}>
        <LinkField address={address} label={t('share.address')} copy={t('share.copy')} />
      </Box>
    </>
  )
}
