import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { QueuePrinter } from '@vigil/contract/files/queue.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { useId } from '../../../lib/address.ts'
import { paths } from '../../../lib/paths.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { BedQuestion } from './BedQuestion.tsx'
import styles from './Queue.module.css'
import { type Change, queueCalls, queueQuery, useQueueChange } from './queue.api.ts'
import { useReason } from './useWords.ts'

const SHOWN = 4

/** What waits for the printer of this page; nothing where nothing does and its queue is on. */
export function QueuePanel() {
  const printerId = useId()
  const { t } = useTranslation('queue')
  const { data } = useQuery(queueQuery)
  const change = useQueueChange()
  const reason = useReason()
  const printer = data?.printers.find(({ id }) => id === printerId)
  if (!data || !printer || (printer.waiting === 0 && printer.enabled)) return null
  const waiting = data.entries.filter(
    (entry) => entry.left > 0 && (entry.printer?.id === printerId || entry.waits_for?.id === printerId),
  )
  return (
    <Panel title={t('panel.title')} aside={<QueueSwitch printer={printer} change={change} />}>
      {printer.obstacle === 'not_cleared' && printer.next !== null && (
        <BedQuestion
          printer={printer}
          next={data.entries.find(({ id }) => id === printer.next)}
          change={change}
        />
      )}
      <ul className={styles.short}>
        {waiting.slice(0, SHOWN).map((entry) => (
          <li key={entry.id}>
            <Link to={paths.file(entry.file.id)}>{entry.file.filename}</Link>
            <span>{reason(entry)}</span>
          </li>
        ))}
      </ul>
      {!printer.enabled && <p className={styles.soft}>{t('panel.off')}</p>}
      <Link to={paths.queue} className={styles.all}>
        {t('panel.all')}
      </Link>
    </Panel>
  )
}

/** Whether a printer takes what waits. */
export function QueueSwitch({ printer, change }: { printer: QueuePrinter; change: Change }) {
  const { t } = useTranslation('queue')
  return (
    <Switch
      aria-label={t('printers.switch', { printer: printer.name })}
      checked={printer.enabled}
      disabled={change.isPending}
      onChange={(event) => {
        const on = event.currentTarget.checked
        change.mutate(() => queueCalls.enable(printer.id, on))
      }}
    />
  )
}
