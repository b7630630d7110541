import { Button } from '@mantine/core'
import { IconMessageCircle, IconPlugConnectedX } from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { Bridge } from '../bridge/index.ts'
import styles from './Chat.module.css'
import { Composer } from './Composer.tsx'
import { Header } from './Header.tsx'
import { MessageList } from './MessageList.tsx'
import { QuickButtons } from './QuickButtons.tsx'
import { SlicingBar } from './SlicingBar.tsx'
import { startChat } from './start.ts'
import { SupportForm } from './SupportForm.tsx'
import { UpgradeDialog } from './UpgradeDialog.tsx'
import { ChatContext, useChat } from './useChat.ts'

/** The page that a desktop slicer shows beside its plate. */
export function EmbeddedChat() {
  const { t } = useTranslation('assistant')
  const [chat] = useState(() =>
    startChat(new Bridge(), new URLSearchParams(location.search).get('devmode') === 'true'),
  )
  const { bridge } = chat
  const { token } = useSyncExternalStore(bridge.watch, bridge.state)
  if (!bridge.isThere)
    return (
      <main>
        <Notice whole picture={<IconPlugConnectedX size={40} stroke={1.25} />} title={t('noHost')}>
          <p>{t('noHostLead')}</p>
        </Notice>
      </main>
    )
  return <ChatContext value={chat}>{token === null ? <Welcome /> : <Conversation />}</ChatContext>
}

/** Who is not signed in: the way in, and to support, should that not work. */
function Welcome() {
  const { t } = useTranslation('assistant')
  const [chat, { entries, isAskingSupport }] = useChat('entries', 'isAskingSupport')
  const last = entries.at(-1)
  return (
    <main className={styles.page}>
      <Header />
      <div className={styles.welcome}>
        <Notice
          picture={<IconMessageCircle size={40} stroke={1.25} />}
          title={t('title')}
          actions={
            <Button variant="filled" onClick={() => chat.bridge.tell('show_login')}>
              {t('signIn')}
            </Button>
          }
        >
          <p>{t('signInLead')}</p>
        </Notice>
        {last?.kind === 'own' && <p role="status">{t(`own.${last.word}`, { ...last.params })}</p>}
      </div>
      {isAskingSupport && <SupportForm />}
    </main>
  )
}

function Conversation() {
  const [, { isAskingSupport, isUpgradeWanted }] = useChat('isAskingSupport', 'isUpgradeWanted')
  return (
    <main className={styles.page}>
      <Header />
      <MessageList />
      <SlicingBar />
      {isAskingSupport ? (
        <SupportForm />
      ) : (
        <footer className={styles.foot}>
          <QuickButtons />
          <Composer />
        </footer>
      )}
      {isUpgradeWanted && <UpgradeDialog />}
    </main>
  )
}
