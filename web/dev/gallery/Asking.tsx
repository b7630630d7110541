import { ActionIcon, Anchor, Button, Menu, Tooltip } from '@mantine/core'
import { IconDots, IconPlayerPauseFilled, IconSettings, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../src/lib/translation.ts'
import { toast } from '../../src/lib/toast.ts'
import { ask, confirm } from '../../src/ui/confirm.tsx'
import { CopyButton } from '../../src/ui/CopyButton.tsx'
import { Dialog } from '../../src/ui/Dialog.tsx'
import { HelpWidget } from '../../src/ui/HelpWidget.tsx'
import { Thumbs } from '../../src/ui/Thumbs.tsx'
import { Part } from './Part.tsx'

const COLORS = ['accent', 'good', 'warn', 'bad'] as const
const VARIANTS = ['filled', 'light', 'outline', 'subtle'] as const

/** What is pressed, and what opens over the page. */
export function Asking() {
  const { t } = useTranslation(['printers', 'common', 'settings', 'sharing'])
  const [open, setOpen] = useState(false)
  const icon = <IconPlayerPauseFilled size={14} />
  return (
    <>
      <Part name="Button">
        <Button>{t('pause.button')}</Button>
        <Button leftSection={icon}>{t('pause.button')}</Button>
        <Button disabled>{t('pause.button')}</Button>
        <Button loading>{t('pause.button')}</Button>
        {VARIANTS.map((variant) =>
          COLORS.map((color) => (
            <Button key={`${variant} ${color}`} variant={variant} color={color}>
              {t(color === 'bad' ? 'cancel.button' : 'resume.button')}
            </Button>
          )),
        )}
        <Button variant="filled" disabled>
          {t('resume.button')}
        </Button>
        <Button variant="filled" loading>
          {t('resume.button')}
        </Button>
      </Part>
      <Part name="Thumbs">
        {([null, 'FAILED', 'NOT_FAILED'] as const).map((alert_overwrite) => {
          const print = { alerted_at: '2026-11-01T10:00:00Z', alert_overwrite }
          return [false, true].map((small) => (
            <Thumbs
              key={`${alert_overwrite} ${small}`}
              print={print}
              small={small}
              onAnswer={() => undefined}
            />
          ))
        })}
      </Part>
      <Part name="ActionIcon, Tooltip, Menu, Anchor">
        {(['subtle', 'default', 'light', 'filled'] as const).map((variant) => (
          <Tooltip key={variant} label={t('control.settings')}>
            <ActionIcon variant={variant} aria-label={`${t('control.settings')} ${variant}`}>
              <IconSettings size={18} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        ))}
        <ActionIcon disabled aria-label={`${t('control.settings')} disabled`}>
          <IconSettings size={18} stroke={1.75} />
        </ActionIcon>
        <Menu>
          <Menu.Target>
            <ActionIcon variant="default" aria-label={t('control.more')}>
              <IconDots size={18} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{t('common:theme.label')}</Menu.Label>
            <Menu.Item leftSection={<IconSettings size={18} stroke={1.75} />}>
              {t('control.settings')}
            </Menu.Item>
            <Menu.Item disabled>{t('control.linkAnother')}</Menu.Item>
            <Menu.Divider />
            <Menu.Item color="bad" leftSection={<IconTrash size={18} stroke={1.75} />}>
              {t('cancel.button')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Anchor href="#">{t('list.showAll')}</Anchor>
        <HelpWidget about={t('settings:sensitivityName')}>{t('settings:levelHint.medium')}</HelpWidget>
        <CopyButton text="gallery" label={t('sharing:copy')} />
      </Part>
      <Part name="Dialog, ask, confirm, toast">
        <Button onClick={() => setOpen(true)}>Dialog</Button>
        <Button
          onClick={() =>
            void confirm({ title: t('pause.title'), text: t('pause.text'), action: t('pause.action') })
          }
        >
          confirm
        </Button>
        <Button
          onClick={() =>
            void confirm({
              title: t('cancel.title'),
              text: t('cancel.text'),
              action: t('cancel.action'),
              tone: 'bad',
              dismiss: t('cancel.dismiss'),
            })
          }
        >
          confirm bad
        </Button>
        <Button
          onClick={() =>
            void ask({
              title: t('notFailure.title'),
              text: t('notFailure.text'),
              dismiss: t('notFailure.dismiss'),
              choices: [
                { value: 'mute', tone: 'plain', label: t('notFailure.mute') },
                { value: 'watch', label: t('notFailure.watch') },
              ],
            })
          }
        >
          ask
        </Button>
        {(['done', 'failed', 'info'] as const).map((kind) => (
          <Button key={kind} onClick={() => toast(t('common:problem.offline'), kind, kind)}>
            toast {kind}
          </Button>
        ))}
      </Part>
      {open && (
        <Dialog onClose={() => setOpen(false)} title={t('control.settings')}>
          {t('settings:levelHint.medium')}
        </Dialog>
      )}
    </>
  )
}
