import { ActionIcon, Loader } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { modelsOf } from '../bridge/index.ts'
import styles from './Chat.module.css'
import { EntryView } from './EntryView.tsx'
import { useChat } from './useChat.ts'

/** So near to its end the list follows what comes. */
const NEAR_PX = 80

/** What was said, the newest below; who reads farther up is not taken away from it. */
export function MessageList() {
  const { t } = useTranslation('assistant')
  const [, { entries, isThinking, slicing }] = useChat()
  const list = useRef<HTMLDivElement>(null)
  const [isBelow, setBelow] = useState(true)
  const toBottom = () => list.current?.scrollTo({ top: list.current.scrollHeight })
  useEffect(() => {
    if (isBelow) list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [entries, isThinking, slicing, isBelow])
  return (
    <div className={styles.listPlace}>
      <div
        ref={list}
        className={styles.list}
        role="log"
        aria-label={t('list')}
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setBelow(scrollHeight - scrollTop - clientHeight < NEAR_PX)
        }
      >
        <Greeting />
        {entries.map((entry) => (
          <EntryView key={entry.id} entry={entry} />
        ))}
        {isThinking && (
          <p className={styles.thinking} role="status">
            <Loader size={14} type="dots" aria-hidden /> {t('thinking')}
          </p>
        )}
      </div>
      {!isBelow && (
        <ActionIcon
          className={styles.toBottom}
          variant="default"
          radius="xl"
          aria-label={t('toBottom')}
          onClick={toBottom}
        >
          <IconArrowDown size={18} stroke={1.75} />
        </ActionIcon>
      )}
    </div>
  )
}

/** Who this is, and what is selected in the slicer just now. */
function Greeting() {
  const { t } = useTranslation('assistant')
  const [, { edited, project }] = useChat()
  const rows: [string, string][] = edited
    ? [
        [t('now.printer'), edited.printer.name],
        [t('now.filament'), edited.filament.name],
        [t('now.process'), edited.process.name],
        [t('now.models'), t('now.count', { count: project ? modelsOf(project).length : 0 })],
      ]
    : []
  const isOutdated = /\/v(?:0\.4|1\.0)\//.test(location.pathname)
  return (
    <>
      {isOutdated && <p className={styles.outdated}>{t('outdated')}</p>}
      <p>{t('hello')}</p>
      {edited && (
        <dl className={styles.now}>
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}
