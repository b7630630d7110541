import type { CloudPrint, CloudPrintState } from '@vigil/contract/files/cloud-prints.ts'
import { IconCheck, IconLoader2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Bar } from '../../ui/Bar.tsx'
import { percent } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { Panel } from '../../ui/Panel.tsx'
import styles from './HandOver.module.css'

const STEPS = ['sent', 'downloading', 'storing', 'starting', 'printing'] as const
const REACHED: Record<CloudPrintState, number> = {
  sending: 0,
  sent: 0,
  downloading: 1,
  storing: 2,
  starting: 3,
  printing: 5,
  failed: -1,
}

/** How far a file is on its way to a printer, from the command to the first layer; or why it never got there. */
export function HandOver({ one, where }: { one: CloudPrint; where: ReactNode }) {
  const { t } = useTranslation('cloud-prints')
  const failed = one.state === 'failed'
  return (
    <Panel live tone={failed ? 'bad' : 'plain'} title={t(failed ? 'failedTitle' : 'title')} aside={where}>
      <p className={styles.filename}>
        <bdi>{one.filename}</bdi>
      </p>
      {failed ? <p role="alert">{one.detail}</p> : <Steps one={one} />}
      {one.print !== null && (
        <Link className={styles.link} to={paths.print(one.print)}>
          {t('toPrint')}
        </Link>
      )}
    </Panel>
  )
}

function Steps({ one }: { one: CloudPrint }) {
  const { t } = useTranslation('cloud-prints')
  const at = REACHED[one.state]
  const share = one.num_bytes === 0 ? 0 : (100 * one.bytes_sent) / one.num_bytes
  return (
    <>
      <ol className={styles.steps} role="status">
        {STEPS.map((step, index) => (
          <li key={step} data-step={index < at ? 'done' : index === at ? 'now' : 'later'}>
            <span className={styles.mark} aria-hidden>
              {index < at ? (
                <IconCheck size={16} stroke={2.25} />
              ) : (
                index === at && <IconLoader2 size={16} stroke={2} className={styles.turning} />
              )}
            </span>
            <span aria-current={index === at ? 'step' : undefined}>{t(`step.${step}`)}</span>
            {step === 'downloading' && at === 1 && <span className={styles.share}>{percent(share)}</span>}
          </li>
        ))}
      </ol>
      {at === 1 && <Bar value={share} aria-label={t('step.downloading')} />}
    </>
  )
}
