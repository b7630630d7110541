import type { StoredFile } from '@vigil/contract/files/gcode-files.ts'
import type { PrintBase } from '@vigil/contract/prints/prints.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import styles from './FilePage.module.css'
import { HowItWent } from './HowItWent.tsx'
import { countsOf, inOrder } from './prints.rules.ts'

/** What was printed of this file, and how it went. */
export function FilePrints({ file }: { file: StoredFile }) {
  const { t } = useTranslation('gcode-files')
  const prints = inOrder(file.print_set)
  const { total, success, failed } = countsOf(prints)
  return (
    <Panel title={t('prints.title')} aside={total > 0 && t('prints.total', { count: total })}>
      {total === 0 ? (
        <p className={styles.quiet}>{t('prints.none')}</p>
      ) : (
        <>
          <p className={styles.counts}>
            <span>{t('prints.success', { count: success })}</span>
            <span>{t('prints.failed', { count: failed })}</span>
          </p>
          <ul className={styles.prints}>
            {prints.map((print) => (
              <PrintLine key={print.id} print={print} />
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}

function PrintLine({ print }: { print: PrintBase }) {
  const { t } = useTranslation('gcode-files')
  const { moment } = useTimeText()
  const at = ms(print.ended_at ?? print.started_at)
  return (
    <li>
      <HowItWent print={print} />
      <Link to={paths.print(print.id)}>
        {at === null ? t('prints.open') : moment(at)}
        {print.printer && (
          <>
            {' · '}
            <bdi>{print.printer.name}</bdi>
          </>
        )}
      </Link>
    </li>
  )
}
