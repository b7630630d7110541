import { ActionIcon, Button, Flex, Group, Menu, Switch } from '@mantine/core'
import { IconCopy, IconFilter, IconTrash, IconArrowDown } from '@tabler/icons-react'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import {
  type ReactNode,
  useMemo,
  useSyncExternalStore,
  useEffect,
  useState,
  memo,
  useLayoutEffect,
  useRef,
} from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { copyText } from '../../../lib/copy.ts'
import type { SocketState } from '../../../lib/socket.ts'
import { readStored, subscribeStored, writeStored } from '../../../lib/stored.ts'
import { toast } from '../../../lib/toast.ts'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import { agentCan } from '../../../printer/driver/versions.ts'
import { asText, type Filter, FILTERS, kindOf, readFilters, type Line } from './lines.ts'
import { Prompt } from './Prompt.tsx'
import { clearLines, useLines } from './store.ts'
import styles from './Terminal.module.css'

/** Nearer to the end than this is at the end: it follows. */
const END_PX = 24

/** The lines, newest at the bottom; it follows them unless somebody reads further up. */
function Log({ lines, empty }: { lines: readonly Line[]; empty: ReactNode }) {
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
    <Flex pos="relative" flex={1} mih={0}>
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
          pos="absolute"
          right={14}
          bottom={12}
          size="compact-sm"
          leftSection={<IconArrowDown size={14} stroke={1.75} />}
          onClick={() => setFollows(true)}
        >
          {t('newer')}
        </Button>
      )}
    </Flex>
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

interface TerminalProps {
  printer: Printer
  line: SocketState
  /** More buttons, after the others. */
  actions?: ReactNode
  title: ReactNode
}

/** What the printer says and what it is told. */
export function TerminalView({ printer, line, actions, title }: TerminalProps) {
  const { t } = useTranslation('terminal')
  const lines = useLines(printer.id)
  const feed = useFeed(printer, line)
  const key = `printer-terminal-filter-prefs-${printer.id}`
  const raw = useSyncExternalStore(subscribeStored, () => readStored(key))
  const hidden = useMemo(() => readFilters(raw), [raw])
  const shown = useMemo(
    () =>
      lines.filter(({ text, own }) => {
        const kind = own ? null : kindOf(text)
        return kind === null || !hidden.includes(kind)
      }),
    [lines, hidden],
  )

  async function copy() {
    const done = await copyText(asText(shown))
    if (done) toast(t('copied'), 'done', null, 'copied')
    else toast(t('copyFailed'), 'failed', null, 'copy-failed')
  }

  return (
    <div className={styles.terminal}>
      <header className={styles.head}>
        {title}
        <div className={styles.tools}>
          {feed.canToggle && (
            <Switch
              size="sm"
              label={t('feedOn')}
              checked={feed.on === true}
              disabled={feed.busy || feed.on === null}
              onChange={(event) => void feed.toggle(event.currentTarget.checked)}
            />
          )}
          <FilterMenu hidden={hidden} onChange={(next) => writeStored(key, next.join(','))} />
          <ActionIcon
            aria-label={t('copy')}
            title={t('copy')}
            disabled={shown.length === 0}
            onClick={() => void copy()}
          >
            <IconCopy size={18} stroke={1.75} />
          </ActionIcon>
          <ActionIcon
            aria-label={t('clear')}
            title={t('clear')}
            disabled={lines.length === 0}
            onClick={() => clearLines(printer.id)}
          >
            <IconTrash size={18} stroke={1.75} />
          </ActionIcon>
          {actions}
        </div>
      </header>
      <Log lines={shown} empty={<Empty feed={feed} hiddenLines={lines.length} />} />
      {feed.on === false && shown.length > 0 && (
        <Group gap="6px 12px" justify="space-between" mb={8} fz={14} c="dimmed">
          <span>{t('feedOffShort')}</span>
          <Button size="compact-sm" loading={feed.busy} onClick={() => void feed.toggle(true)}>
            {t('turnOn')}
          </Button>
        </Group>
      )}
      <Prompt printer={printer} feedEchoes={feed.echoes} />
    </div>
  )
}

function Empty({ feed, hiddenLines }: { feed: Feed; hiddenLines: number }) {
  const { t } = useTranslation('terminal')
  if (feed.canToggle && feed.on === false)
    return (
      <>
        <p>{t('feedOff')}</p>
        <Button size="compact-sm" loading={feed.busy} onClick={() => void feed.toggle(true)}>
          {t('turnOn')}
        </Button>
      </>
    )
  return <p>{hiddenLines > 0 ? t('allHidden', { count: hiddenLines }) : t('empty')}</p>
}

function FilterMenu({ hidden, onChange }: { hidden: Filter[]; onChange: (hidden: Filter[]) => void }) {
  const { t } = useTranslation('terminal')
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon
          aria-label={t('filters')}
          title={t('filters')}
          data-active={hidden.length > 0 || undefined}
        >
          <IconFilter size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('hide')}</Menu.Label>
        {FILTERS.map((filter) => {
          const on = hidden.includes(filter)
          return (
            <Menu.CheckboxItem
              key={filter}
              checked={on}
              onChange={() => onChange(on ? hidden.filter((each) => each !== filter) : [...hidden, filter])}
            >
              {t(`filter.${filter}`)}
            </Menu.CheckboxItem>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

interface Feed {
  /** Null: always on, or not known yet. */
  on: boolean | null
  canToggle: boolean
  /** It shows what was sent from here, too. */
  echoes: boolean
  busy: boolean
  toggle: (on: boolean) => Promise<void>
}

/** Whether the printer sends its lines, where that can be chosen. */
function useFeed(printer: Printer, line: SocketState): Feed {
  const { driver, run } = useDriver(printer)
  const canToggle = driver.feed !== null && agentCan(printer, 'terminalToggle')
  const [on, setOn] = useState<boolean | null>(null)
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    if (!canToggle || !driver.feed || line !== 'open') return undefined
    let current = true
    void run(driver.feed('get'), { quiet: true }).then((outcome) => {
      if (current && outcome.done && typeof outcome.ret === 'boolean') setOn(outcome.ret)
    })
    return () => {
      current = false
    }
  }, [canToggle, driver, line, run])

  return {
    on: canToggle ? on : null,
    canToggle,
    echoes: driver.feedEchoes && !(canToggle && on === false),
    busy,
    async toggle(next) {
      if (!driver.feed) return
      setBusy(true)
      const outcome = await run(driver.feed(next ? 'on' : 'off'))
      setBusy(false)
      if (outcome.done) setOn(typeof outcome.ret === 'boolean' ? outcome.ret : next)
    },
  }
}
