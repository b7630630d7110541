import { Button, NumberInput, Select, Switch } from '@mantine/core'
import { MOST_COPIES, type QueueEntry } from '@vigil/contract/files/queue.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { toast } from '../../../lib/toast.ts'
import { ownPrintersQuery } from '../../../printer/printers.api.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './Queue.module.css'
import { queueCalls, useQueueChange } from './queue.api.ts'

interface EntryDialogProps {
  file: { id: number; filename: string }
  /** The one that is changed; without it one is added. */
  entry?: QueueEntry
  onClose: () => void
}

const ANY = 'any'

/** On which printer a file is printed, and how often. */
export function EntryDialog({ file, entry, onClose }: EntryDialogProps) {
  const { t } = useTranslation('queue')
  const change = useQueueChange()
  const [printer, setPrinter] = useState(String(entry?.printer?.id ?? ANY))
  const [copies, setCopies] = useState(entry?.copies ?? 1)
  const [onHold, setOnHold] = useState(entry?.on_hold ?? false)

  function save() {
    const wish = { printer_id: printer === ANY ? null : Number(printer), copies, on_hold: onHold }
    const run = () =>
      entry ? queueCalls.change(entry.id, wish) : queueCalls.add({ ...wish, g_code_file_id: file.id })
    change.mutate(run, {
      onSuccess: () => {
        if (!entry) toast(t('add.done', { file: file.filename }), 'done')
        onClose()
      },
    })
  }

  return (
    <Dialog title={t(entry ? 'add.edit' : 'add.title')} onClose={onClose}>
      <form
        className={shared.fields}
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <p className={styles.file}>
          <bdi>{file.filename}</bdi>
        </p>
        <PrinterSelect value={printer} onChange={setPrinter} />
        <Copies value={copies} onChange={setCopies} />
        <Switch
          label={t('add.hold')}
          checked={onHold}
          onChange={(event) => setOnHold(event.currentTarget.checked)}
        />
        <DialogButtons>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={change.isPending}>
            {t(entry ? 'add.save' : 'add.action')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

function PrinterSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation('queue')
  const { data } = useQuery(ownPrintersQuery)
  const printers = (data ?? []).filter(({ archived_at }) => archived_at === null)
  return (
    <Select
      label={t('add.printer')}
      allowDeselect={false}
      value={value}
      onChange={(chosen) => onChange(chosen ?? ANY)}
      data={[
        { value: ANY, label: t('add.any') },
        ...printers.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}

function Copies({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const { t } = useTranslation('queue')
  return (
    <NumberInput
      label={t('add.copies')}
      min={1}
      max={MOST_COPIES}
      clampBehavior="strict"
      allowDecimal={false}
      value={value}
      onChange={(typed) => onChange(Number(typed) || 1)}
    />
  )
}
