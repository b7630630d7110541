import { Alert, Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Printer, archivePrinter } from '@vigil/contract/printers/printers.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { forgetPrinter } from '../../../printer/held.ts'
import { printersQuery, removePrinter } from '../../../printer/printers.api.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'

/** Archives a printer: it is kept, but neither shown in the list nor watched. */
const putAway = (id: number) => call(archivePrinter, { params: { id } })

/** What can't be undone, quiet until it is meant. */
export function DangerZone({ printer }: { printer: Printer }) {
  const { t } = useTranslation('settings')
  const navigate = useNavigate()
  const { settings } = useBootstrap()
  const [asking, setAsking] = useState(false)

  async function relink() {
    const sure = await confirm({
      title: t('relink.title'),
      text: t('relink.text'),
      action: t('relink.action'),
    })
    if (sure) await navigate({ to: paths.wizard, search: { printerId: String(printer.id) } })
  }

  return (
    <Panel title={t('danger')}>
      <SettingRow label={t('relink.label')} hint={t('relink.hint')}>
        {() => <Button onClick={() => void relink()}>{t('relink.button')}</Button>}
      </SettingRow>
      {settings.IS_ENT && !printer.archived_at && <ArchiveRow printer={printer} />}
      <SettingRow label={t('delete.label')} hint={t('delete.hint')}>
        {() => (
          <Button variant="outline" color="bad" onClick={() => setAsking(true)}>
            {t('delete.button')}
          </Button>
        )}
      </SettingRow>
      {asking && <DeleteDialog printer={printer} onClose={() => setAsking(false)} />}
    </Panel>
  )
}

function DeleteDialog({ printer, onClose }: { printer: Printer; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation('common')
  const client = useQueryClient()
  const navigate = useNavigate()
  const problemText = useProblemText()
  const [typed, setTyped] = useState('')
  const matches = typed.trim() === printer.name.trim()
  const removal = useMutation({
    mutationFn: () => removePrinter(printer.id),
    onSuccess: async () => {
      toast(t('delete.done', { name: printer.name }), 'done')
      await navigate({ to: paths.printers, replace: true })
      forgetPrinter(client, printer.id)
    },
  })

  return (
    <Dialog onClose={onClose} title={t('delete.title', { name: printer.name })} withCloseButton={false}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (matches) removal.mutate()
        }}
      >
        <p>{t('delete.text')}</p>
        {removal.error && (
          <Alert color="bad" role="alert" mt={12}>
            {problemText(problemOf(removal.error))}
          </Alert>
        )}
        <TextInput
          mt={14}
          label={t('delete.type', { name: printer.name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <DialogButtons>
          <Button onClick={onClose}>{common('back')}</Button>
          <Button type="submit" variant="filled" color="bad" disabled={!matches} loading={removal.isPending}>
            {t('delete.action')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

function ArchiveRow({ printer }: { printer: Printer }) {
  const { t } = useTranslation('settings')
  const navigate = useNavigate()
  const client = useQueryClient()
  const problemText = useProblemText()

  const archiving = useMutation({
    mutationFn: () => putAway(printer.id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: printersQuery.queryKey })
      toast(t('archive.done', { name: printer.name }), 'done')
      await navigate({ to: paths.printers })
    },
    onError: (error) => toast(problemText(problemOf(error)), 'failed'),
  })

  async function archive() {
    const sure = await confirm({
      title: t('archive.title', { name: printer.name }),
      text: t('archive.text'),
      action: t('archive.action'),
    })
    if (sure) archiving.mutate()
  }

  return (
    <SettingRow label={t('archive.label')} hint={t('archive.hint')}>
      {() => (
        <Button loading={archiving.isPending} onClick={() => void archive()}>
          {t('archive.button')}
        </Button>
      )}
    </SettingRow>
  )
}
