import { useEffect, useRef } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverUrl } from '../../../lib/base.ts'
import styles from './Host.module.css'
import type { Wire } from './wire.ts'

interface ChatFrameProps {
  wire: Wire
  /** Another slicer is another page. */
  isOld: boolean
  isVisible: boolean
}

/** The panel of the slicer that shows the chat. */
export function ChatFrame({ wire, isOld, isVisible }: ChatFrameProps) {
  const { t, i18n } = useTranslation('assistant')
  const frame = useRef<HTMLIFrameElement>(null)
  const version = isOld ? 'v1.0' : 'v1.2'
  const lang = i18n.language === 'zh' ? 'zh' : 'en'
  const address = serverUrl(`/jusprin/${version}/embedded_chat/?lang=${lang}`)
  useEffect(() => {
    const shown = frame.current
    if (!shown?.contentWindow) return
    wire.connect(shown.contentWindow)
    shown.src = address
  }, [wire, address])
  return (
    <aside className={styles.panel} hidden={!isVisible}>
      <iframe key={address} ref={frame} title={t('title')} onLoad={() => wire.loaded()} />
    </aside>
  )
}
