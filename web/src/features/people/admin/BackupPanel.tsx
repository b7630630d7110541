import type { System } from '@vigil/contract/people/operations.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { ms } from '../../../lib/format.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { useTimeText } from '../../../ui/time.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import items from '../../../ui/Items.module.css'

/** The last nightly backup, and why the one after it failed. */
export function BackupPanel({ backup }: { backup: System['backup'] }) {
  const { t } = useTranslation('admin')
  const bytes = useBytes()
  const { moment } = useTimeText()
  const [done, failed] = [ms(backup.done_at), ms(backup.failed_at)]
  const isOff = !backup.is_nightly && done === null
  return (
    <Panel title={t('system.backup.title')} tone={failed === null ? 'plain' : 'bad'}>
      {failed !== null && (
        <p className={shared.bad}>
          {t('system.backup.failed', { moment: moment(failed), reason: backup.reason ?? '' })}
        </p>
      )}
      {isOff ? (
        <span className={items.soft}>{t('system.backup.off')}</span>
      ) : (
        <Facts
          rows={[
            [t('system.backup.last'), done === null ? t('system.backup.none') : moment(done)],
            [t('system.backup.size'), done === null ? null : bytes(backup.bytes)],
            [t('system.backup.place'), done === null ? null : (backup.place ?? t('system.backup.here'))],
          ]}
        />
      )}
    </Panel>
  )
}
