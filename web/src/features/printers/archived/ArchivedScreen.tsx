import { Button, Skeleton, Tooltip } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Printer, unarchivePrinter } from '@vigil/contract/printers/printers.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { call } from '../../../lib/call.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { toast } from '../../../lib/toast.ts'
import { forgetPrinter } from '../../../printer/held.ts'
import { printersQuery, removePrinter } from '../../../printer/printers.api.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Failed, Notice, useProblemText } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import shared from '../../../ui/shared.module.css'
import { usePlan } from '../../shop/subscription/index.ts'
import styles from './Archived.module.css'

/** Printers that were put away, by hand or because a plan ended: out again where there is room, or deleted. */
export default function ArchivedScreen() {
  const { t } = useTranslation('archived')
  const { data, error, refetch } = useQuery(printersQuery)
  const { hasRoom } = usePlan()
  const archived = data?.filter(({ archived_at: at }) => at) ?? []
  useTitle(t('title'))
  return (
    <div className={shared.page} aria-busy={!data && !error}>
      <PageHeader title={t('title')} back={{ to: paths.printers, label: t('back') }} />
      {error ? (
        <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Archived printers={data && archived} hasRoom={hasRoom} />
      )}
    </div>
  )
}

function Archived({ printers, hasRoom }: { printers: readonly Printer[] | undefined; hasRoom: boolean }) {
  const { t } = useTranslation('archived')
  if (!printers) return <Skeleton height={120} />
  if (printers.length === 0)
    return (
      <Notice title={t('none')} picture={<IconArchive size={40} stroke={1.25} />}>
        {t('noneText')}
      </Notice>
    )
  return (
    <Panel>
      <ul className={styles.list}>
        {printers.map((printer) => (
          <Row key={printer.id} printer={printer} hasRoom={hasRoom} />
        ))}
      </ul>
    </Panel>
  )
}

/** Takes a printer out of the archive, or deletes it once that was asked. */
function useActs(printer: Printer) {
  const { t } = useTranslation('archived')
  const client = useQueryClient()
  const problemText = useProblemText()
  const onError = (error: Error) => toast(problemText(problemOf(error)), 'failed')
  const taking = useMutation({
    mutationFn: () => call(unarchivePrinter, { params: { id: printer.id } }),
    onSuccess: async () => {
      toast(t('out', { name: printer.name }), 'done')
      await client.invalidateQueries()
    },
    onError,
  })
  const deleting = useMutation({
    mutationFn: () => removePrinter(printer.id),
    onSuccess: async () => {
      toast(t('deleted'), 'done')
      forgetPrinter(client, printer.id)
      await client.invalidateQueries()
    },
    onError,
  })
  const remove = async () => {
    const sure = await confirm({
      title: t('deleteTitle', { name: printer.name }),
      text: t('deleteText'),
      action: t('deleteAction'),
    })
    if (sure) deleting.mutate()
  }
  return { taking, deleting, remove }
}

function Row({ printer, hasRoom }: { printer: Printer; hasRoom: boolean }) {
  const { t } = useTranslation('archived')
  const { moment } = useTimeText()
  const { taking, deleting, remove } = useActs(printer)
  return (
    <li className={styles.row}>
      <div>
        <b>{printer.name}</b>
        <div className={shared.small}>
          {t('since', { moment: moment(ms(printer.archived_at) ?? 0) })}
          <span className={styles.why}>{hasRoom ? '' : ` ${t('noRoom')}`}</span>
        </div>
      </div>
      <Tooltip label={t('noRoom')} disabled={hasRoom}>
        <Button
          data-disabled={!hasRoom || undefined}
          aria-disabled={!hasRoom}
          loading={taking.isPending}
          onClick={() => hasRoom && taking.mutate()}
        >
          {t('take')}
        </Button>
      </Tooltip>
      <Button variant="subtle" color="bad" loading={deleting.isPending} onClick={() => void remove()}>
        {t('delete')}
      </Button>
    </li>
  )
}
