import { ActionIcon, Button, Menu } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { IconArchive, IconDots, IconDownload, IconShare2, IconTrash } from '@tabler/icons-react'
import { useMediaQuery } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { useSupport } from '../../../lib/usePlaces.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { printKey, removePrint } from './print-page.api.ts'
import { PrintAgain } from './PrintAgain.tsx'
import { ShareDialog } from './ShareDialog.tsx'

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
