import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../../../lib/translation.ts'
import type { Verdict } from '../../../../lib/thumbs.ts'
import { ask, confirm } from '../../../../ui/confirm.tsx'
import { BULK_ACTIONS, type BulkAction, sortOut } from './bulk.ts'
import { BulkAnswers } from './BulkAnswers.tsx'
import { PrinterTile } from './PrinterTile.tsx'
import { useSelection } from '../../../../lib/useSelection.ts'
import styles from './TileGrid.module.css'

/** A pointer that rests this long on a tile wants to see its camera. */
const PEEK_MS = 250
/** So many are drawn before the browser has said which are on the screen. */
const FIRST = 60

/** Forty printers at a glance, and what can be done to many at once. */
export function TileGrid({ printers }: { printers: Printer[] }) {
  const { t } = useTranslation('grid')
  const isChoosing = useRef(false)
  const [peeked, onPeek] = usePeek(isChoosing)
  const ids = useMemo(() => printers.map(({ id }) => id), [printers])
  const { selected, select, selectNone, selectThese } = useSelection(ids)
  const chosen = printers.filter(({ id }) => selected.has(id))
  isChoosing.current = chosen.length > 0
  return (
    <>
      <ul className={styles.grid} aria-label={t('label')} data-choosing={chosen.length > 0 || undefined}>
        {printers.map((printer, at) => (
          <PrinterTile
            key={printer.id}
            printer={printer}
            first={at < FIRST}
            selected={selected.has(printer.id)}
            peeked={peeked === printer.id}
            onSelect={select}
            onPeek={onPeek}
          />
        ))}
      </ul>
      <BulkBar chosen={chosen} all={printers.length} onAll={() => selectThese(ids)} onNone={selectNone} />
    </>
  )
}

/**
 * Which camera is shown: the one under the pointer after a moment, or one that was pressed until it is closed. None by
 * the pointer alone while printers are chosen: it would lie over the next one's box.
 */
function usePeek(
  isChoosing: RefObject<boolean>,
): [number | null, (id: number | null, pinned: boolean) => void] {
  const [peeked, setPeeked] = useState<number | null>(null)
  const pin = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const peek = useCallback(
    (id: number | null, pinned: boolean) => {
      if (pin.current && !pinned) return
      clearTimeout(timer.current)
      pin.current = pinned && id !== null
      if (id === null || pinned) setPeeked(id)
      else timer.current = setTimeout(() => isChoosing.current || setPeeked(id), PEEK_MS)
    },
    [isChoosing],
  )
  return [peeked, peek]
}

interface BulkBarProps {
  chosen: Printer[]
  all: number
  onAll: () => void
  onNone: () => void
}

/** What can be done to all that are chosen: asked once, answered for each. */
function BulkBar({ chosen, all, onAll, onNone }: BulkBarProps) {
  const { t } = useTranslation('grid')
  const [running, setRunning] = useState<{
    action: BulkAction
    printers: Printer[]
    overwrite?: Verdict
  } | null>(null)

  async function start(action: BulkAction) {
    const { able, unable, alerting } = sortOut(chosen, action)
    const question = {
      title: t(`bulk.${action}.title`, { count: able.length }),
      text: (
        <>
          <p>{t(`bulk.${action}.text`)}</p>
          <p className={styles.names}>{able.map(({ name }) => name).join(', ')}</p>
          {alerting > 0 && <p className={styles.aside}>{t('bulk.alerting', { count: alerting })}</p>}
          {unable > 0 && <p className={styles.aside}>{t(`bulk.${action}.unable`, { count: unable })}</p>}
        </>
      ),
    }
    if (alerting > 0) {
      const said = await ask({
        ...question,
        choices: [
          { value: 'FAILED', tone: 'plain', label: t('bulk.were') },
          { value: 'NOT_FAILED', label: t('bulk.wereNot') },
        ],
      })
      if (said) setRunning({ action, printers: able, overwrite: said === 'FAILED' ? said : 'NOT_FAILED' })
      return
    }
    const sure = await confirm({
      ...question,
      action: t(`bulk.${action}.action`, { count: able.length }),
      ...(action === 'cancel' ? { tone: 'bad' as const, dismiss: t('bulk.keep') } : {}),
    })
    if (sure) setRunning({ action, printers: able })
  }

  return (
    <>
      {chosen.length > 0 && (
        <section className={styles.bar} aria-label={t('bulk.label')}>
          <strong className={styles.count} role="status">
            {t('bulk.chosen', { count: chosen.length })}
          </strong>
          {BULK_ACTIONS.map((action) => {
            const count = sortOut(chosen, action).able.length
            return (
              <Button
                key={action}
                {...(action === 'cancel' ? { variant: 'outline', color: 'bad' } : {})}
                disabled={count === 0}
                title={count === 0 ? t(`bulk.${action}.none`) : undefined}
                onClick={() => void start(action)}
              >
                {t(`bulk.${action}.button`)}
                {count > 0 && count < chosen.length ? ` (${count})` : ''}
              </Button>
            )
          })}
          <span className={styles.spring} />
          {chosen.length < all && (
            <Button variant="subtle" onClick={onAll}>
              {t('bulk.all', { count: all })}
            </Button>
          )}
          <Button variant="subtle" onClick={onNone}>
            {t('bulk.clear')}
          </Button>
        </section>
      )}
      {running && <BulkAnswers {...running} onClose={() => setRunning(null)} />}
    </>
  )
}
