import { Button } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Line } from './lines.ts'
import styles from './Terminal.module.css'

/** Nearer to the end than this is at the end: it follows. */
const END_PX = 24

/** The lines, newest at the bottom; it follows them unless somebody reads further up. */
export function Log({ lines, empty }: { lines: readonly Line[]; empty: ReactNode }) {
  const { t } = useTranslation('terminal')
  const ref = useRef<HTMLDivElement>(null)
  const [follows, setFollows] = useState(true)
  const newest = lines.at(-1)?.id

  useLayoutEffect(() => {
    const box = ref.current
    if (follows && box) box.scrollTop = box.scrollHeight
  }, [follows, newest])

  function onScroll() {
    const box = ref.current
    if (box) setFollows(box.scrollHeight - box.scrollTop - box.clientHeight < END_PX)
  }

  return (
    <div className={styles.logPlace}>
      {/* Scrolls, so that the keyboard must reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div
        ref={ref}
        className={styles.log}
        role="log"
        aria-live="off"
        aria-label={t('log')}
        tabIndex={0}
        onScroll={onScroll}
      >
        {lines.length === 0 ? (
          <div className={styles.empty}>{empty}</div>
        ) : (
          lines.map((line) => <Row key={line.id} line={line} />)
        )}
      </div>
      {!follows && (
        <Button
          className={styles.newest}
          size="compact-sm"
          leftSection={<IconArrowDown size={14} stroke={1.75} />}
          onClick={() => setFollows(true)}
        >
          {t('newer')}
        </Button>
      )}
    </div>
  )
}

const Row = memo(function Row({ line }: { line: Line }) {
  return (
    <div className={styles.line} data-own={line.own || undefined}>
      <bdi>{line.text}</bdi>
      {line.times > 1 && <small> ×{line.times}</small>}
    </div>
  )
})
