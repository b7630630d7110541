import { ActionIcon, Box, Button, Switch } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconGripVertical } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useTranslation } from '../../../../lib/translation.ts'
import { Dialog, DialogButtons } from '../../../../ui/Dialog.tsx'
import { move } from './layout.ts'
import type { Layout } from './useLayout.ts'
import shared from '../../../../ui/shared.module.css'
import styles from './Widgets.module.css'

interface ReorderDialogProps {
  layout: Layout
  onClose: () => void
}

/** The widgets as rows: dragged by pointer or finger, moved by arrows, switched off and on. */
export function ReorderDialog({ layout, onClose }: ReorderDialogProps) {
  const { t } = useTranslation(['widgets', 'common'])
  const list = useRef<HTMLOListElement>(null)
  const [held, setHeld] = useState<number | null>(null)
  const [told, setTold] = useState('')
  const { rows, save } = layout
  const nameAt = (at: number) => t(`name.${rows[at]!.name}`)

  function place(from: number, to: number) {
    const end = Math.min(rows.length - 1, Math.max(0, to))
    if (end === from) return from
    save(move(rows, from, end))
    setTold(t('order.moved', { name: nameAt(from), place: end + 1, count: rows.length }))
    return end
  }

  function onPointerMove(event: PointerEvent) {
    const box = list.current?.getBoundingClientRect()
    if (held === null || !box) return
    const to = Math.floor(((event.clientY - box.top) / box.height) * rows.length)
    setHeld(place(held, to))
  }

  function onKeyDown(event: KeyboardEvent, at: number) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    place(at, at + step)
  }

  return (
    <Dialog onClose={onClose} title={t('order.title')}>
      <p className={shared.small}>{t('order.hint')}</p>
      <ol ref={list} className={styles.rows}>
        {rows.map(({ name, enabled }, at) => (
          <li
            key={name}
            className={styles.row}
            data-held={held === at || undefined}
            data-off={!enabled || undefined}
          >
            <span
              className={styles.grip}
              aria-hidden
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId)
                setHeld(at)
              }}
              onPointerMove={onPointerMove}
              onPointerUp={() => setHeld(null)}
              onPointerCancel={() => setHeld(null)}
            >
              <IconGripVertical size={18} stroke={1.75} />
            </span>
            <span className={styles.rowName}>{t(`name.${name}`)}</span>
            <ActionIcon
              aria-label={t('order.up', { name: t(`name.${name}`) })}
              aria-disabled={at === 0}
              data-end={at === 0 || undefined}
              onKeyDown={(event) => onKeyDown(event, at)}
              onClick={() => place(at, at - 1)}
            >
              <IconChevronUp size={18} stroke={1.75} />
            </ActionIcon>
            <ActionIcon
              aria-label={t('order.down', { name: t(`name.${name}`) })}
              aria-disabled={at === rows.length - 1}
              data-end={at === rows.length - 1 || undefined}
              onKeyDown={(event) => onKeyDown(event, at)}
              onClick={() => place(at, at + 1)}
            >
              <IconChevronDown size={18} stroke={1.75} />
            </ActionIcon>
            <Switch
              aria-label={t('order.show', { name: t(`name.${name}`) })}
              checked={enabled}
              onChange={() =>
                save(rows.map((row) => (row.name === name ? { name, enabled: !enabled } : row)))
              }
            />
          </li>
        ))}
      </ol>
      <Box component="p" mih={20} mt={8} fz={13} c="dimmed" role="status">
        {told}
      </Box>
      <DialogButtons>
        <Button onClick={layout.reset}>{t('order.reset')}</Button>
        <Button variant="filled" onClick={onClose}>
          {t('order.done')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
