import { ActionIcon, Button } from '@mantine/core'
import { IconTrash, IconX } from '@tabler/icons-react'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Texts, useTranslation } from '../../../lib/translation.ts'
import { toast } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.tsx'
import list from '../../../ui/List.module.css'
import styles from './History.module.css'
import { removePrints } from './history.api.ts'

interface SelectionBarProps {
  chosen: readonly Print[]
  /** How many the filters let through. */
  all: number
  onAll: () => Promise<void>
  onNone: () => void
}

/** Floats while prints are chosen: how many, what can be done to them, and what goes with them. */
export function SelectionBar({ chosen, all, onAll, onNone }: SelectionBarProps) {
  const { t } = useTranslation('history')
  const client = useQueryClient()
  const [busy, setBusy] = useState<'all' | 'delete' | null>(null)
  const count = chosen.length
  const [first] = chosen

  async function during(what: 'all' | 'delete', work: () => Promise<void>) {
    setBusy(what)
    await work().catch(() => toast(t(`${what}.failed`), 'failed'))
    setBusy(null)
  }

  async function remove() {
    if (!(await isSure(t, count))) return
    const ids = chosen.map(({ id }) => id)
    await during('delete', async () => {
      await removePrints(client, ids)
      onNone()
      toast(
        first && count === 1 ? t('delete.one', { name: first.filename }) : t('delete.done', { count }),
        'done',
      )
    })
  }

  if (count === 0) return null
  return (
    <section className={`${list.bar} ${styles.bar}`} aria-label={t('select.label')}>
      <strong role="status">{t('select.count', { count })}</strong>
      {count < all && (
        <Button variant="subtle" loading={busy === 'all'} onClick={() => void during('all', onAll)}>
          {t('select.all', { count: all })}
        </Button>
      )}
      <span className={styles.also}>{t('delete.also')}</span>
      <Button
        variant="outline"
        color="bad"
        leftSection={<IconTrash size={16} stroke={1.75} />}
        loading={busy === 'delete'}
        disabled={busy === 'all'}
        onClick={() => void remove()}
      >
        {t('delete.action', { count })}
      </Button>
      <ActionIcon variant="default" aria-label={t('select.none')} title={t('select.none')} onClick={onNone}>
        <IconX size={16} stroke={1.75} />
      </ActionIcon>
    </section>
  )
}

const isSure = (t: Texts<'history'>, count: number) =>
  confirm({
    title: t('delete.title', { count }),
    text: t('delete.text'),
    action: t('delete.action', { count }),
    tone: 'bad',
    dismiss: t('delete.keep', { count }),
  })
