import { Button } from '@mantine/core'
import type { System } from '@vigil/contract/people/operations.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { ms } from '../../../lib/format.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { useTimeText } from '../../../ui/time.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import { useCountDisk } from './admin.api.ts'
import items from '../../../ui/Items.module.css'
import styles from './Admin.module.css'

/** Folders of stored files that have a name; any other is named as it is. */
const KINDS = [
  'tsd-pics/raw',
  'tsd-pics/tagged',
  'tsd-pics/snapshots',
  'tsd-pics/ff_printshots',
  'tsd-pics/first_layer',
  'tsd-timelapses/private',
  'tsd-timelapses/public',
  'tsd-timelapses/first_layer',
  'tsd-timelapses/uploads',
  'tsd-gcodes',
] as const

/** What must stay free, what files may take, when the disk is full as it goes, and what went last. */
function useRoom(disk: System['disk']): (readonly [string, string])[] {
  const { t } = useTranslation('admin')
  const bytes = useBytes()
  const { moment } = useTimeText()
  const [full, freed] = [ms(disk.full_at), disk.freed]
  const freedAt = ms(freed?.at ?? null)
  const limits = [
    disk.pictures_limit_bytes === null
      ? []
      : [t('system.room.pictures', { size: bytes(disk.pictures_limit_bytes) })],
    disk.films_limit_bytes === null ? [] : [t('system.room.films', { size: bytes(disk.films_limit_bytes) })],
  ].flat()
  return [
    [t('system.room.keepFree'), bytes(disk.keep_free_bytes)],
    [t('system.room.limits'), limits.length === 0 ? t('system.room.noLimits') : limits.join(', ')],
    [t('system.room.fullAt'), full === null ? t('system.room.notFull') : moment(full)],
    [
      t('system.room.freed'),
      freed === null || freedAt === null
        ? t('system.room.neverFreed')
        : t('system.room.freedOf', {
            moment: moment(freedAt),
            size: bytes(freed.bytes),
            pictures: freed.pictures,
            films: freed.films,
          }),
    ],
  ]
}

/** What the disk holds, by kind, and what becomes of it when it is nearly full. */
export function DiskPanel({ disk }: { disk: System['disk'] }) {
  const { t } = useTranslation('admin')
  const bytes = useBytes()
  const { moment } = useTimeText()
  const count = useCountDisk()
  const at = ms(disk.counted_at)
  function nameOf(kind: string): string {
    const known = KINDS.find((one) => one === kind)
    return known ? t(`system.kinds.${known}`) : kind
  }
  return (
    <Panel title={t('system.disk')} tone={disk.is_full || disk.freed?.is_scarce === true ? 'bad' : 'plain'}>
      {disk.is_full && <p className={shared.bad}>{t('system.full')}</p>}
      {disk.freed?.is_scarce === true && <p className={shared.bad}>{t('system.room.scarce')}</p>}
      <Facts
        rows={[
          [t('system.free'), disk.free_bytes === null ? null : bytes(disk.free_bytes)],
          ...useRoom(disk),
          [t('system.database'), bytes(disk.database_bytes)],
          ...disk.kinds.map(
            (one) =>
              [nameOf(one.kind), `${bytes(one.bytes)} · ${t('system.files', { count: one.files })}`] as const,
          ),
        ]}
      />
      <p className={`${items.soft} ${styles.below}`}>{t('system.room.keepFreeHint')}</p>
      <div className={items.item}>
        <span className={items.soft}>
          {disk.is_counting
            ? t('system.counting')
            : at === null
              ? t('system.never')
              : t('system.countedAt', { moment: moment(at) })}
        </span>
        <Button loading={count.isPending} disabled={disk.is_counting} onClick={() => count.mutate()}>
          {t('system.count')}
        </Button>
      </div>
    </Panel>
  )
}
