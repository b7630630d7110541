import { ActionIcon, Loader } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { type UIEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { modelsOf } from '../bridge/index.ts'
import styles from './Chat.module.css'
import { EntryView } from './EntryView.tsx'
import { useChat } from './useChat.ts'

/** So near to its end the list follows what comes. */
const NEAR_PX = 80

const toEnd = (list: HTMLDivElement | null) => list?.scrollTo({ top: list.scrollHeight })

/** Keeps the end in sight when more comes, and when there is less room; not for who has gone up. */
function useFollowing() {
  const [, { entries, isThinking, slicing }] = useChat('entries', 'isThinking', 'slicing')
  const list = useRef<HTMLDivElement>(null)
  const lastTop = useRef(0)
  const [isBelow, setBelow] = useState(true)
  useEffect(() => {
    if (isBelow) toEnd(list.current)
  }, [entries, isThinking, slicing, isBelow])
  useEffect(() => {
    if (!isBelow || !list.current) return undefined
    const watcher = new ResizeObserver(() => toEnd(list.current))
    watcher.observe(list.current)
    return () => watcher.disconnect()
  }, [isBelow])
  return {
    list,
    isBelow,
    toBottom: () => toEnd(list.current),
    onScroll({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLDivElement>) {
      // What grows below moves nobody: only who scrolls up has gone.
      if (scrollHeight - scrollTop - clientHeight < NEAR_PX) setBelow(true)
      else if (scrollTop < lastTop.current) setBelow(false)
      lastTop.current = scrollTop
    },
  }
}

/** What was said, the newest below; who reads farther up is not taken away from it. */
export function MessageList() {
  const { t } = useTranslation('assistant')
  const [, { entries, isThinking }] = useChat('entries', 'isThinking')
  const { list, isBelow, onScroll, toBottom } = useFollowing()
  return (
    <div className={styles.listPlace}>
      <div
        ref={list}
        className={styles.list}
        role="log"
        aria-label={t('list')}
        tabIndex={0}
        onScroll={onScroll}
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
  const [, { edited, project }] = useChat('edited', 'project')
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
