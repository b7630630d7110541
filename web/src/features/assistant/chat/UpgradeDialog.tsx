import { Button } from '@mantine/core'
import { useTranslation } from '../../../lib/translation.ts'
import { serverUrl } from '../../../lib/base.ts'
import { paths } from '../../../lib/paths.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { press } from './press.ts'
import { useChat } from './useChat.ts'

/** The month's credits are used up: where there are more. */
export function UpgradeDialog() {
  const { t } = useTranslation('assistant')
  const [chat, { entries }] = useChat('entries')
  const asked = entries.findLast(({ choices }) => choices?.some(({ act }) => act.do === 'goOn'))
  const onward = asked?.choices?.find(({ act }) => act.do === 'goOn')?.act
  const close = () => chat.set({ isUpgradeWanted: false })
  const { bridge } = chat
  return (
    <Dialog title={t('upgrade.title')} onClose={close}>
      <p>{t('upgrade.text')}</p>
      <DialogButtons>
        {asked && onward ? (
          <Button onClick={() => (close(), void press(chat, asked, onward, String))}>
            {t('button.goOn')}
          </Button>
        ) : (
          <Button onClick={close}>{t('upgrade.later')}</Button>
        )}
        {bridge.supports('show_pricing_plan') ? (
          <Button variant="filled" onClick={() => (bridge.tell('show_pricing_plan'), close())}>
            {t('upgrade.plans')}
          </Button>
        ) : (
          <Button
            component="a"
            variant="filled"
            href={serverUrl(paths.pricing)}
            target="_blank"
            rel="noreferrer"
            onClick={close}
          >
            {t('upgrade.plans')}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  )
}
