import { IconCheck, IconLoader2 } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CloudPrint, CloudPrintState } from '@vigil/contract/files/cloud-prints.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from '../../lib/translation.ts'
import { percent } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { Bar } from '../../ui/Bar.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { printersQuery } from '../printers.api.ts'
import { readStatus } from '../status.ts'
import { handOversQuery, isToBeShown, lookAgain } from './cloudprint.api.ts'
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
function HandOver({ one, where }: { one: CloudPrint; where: ReactNode }) {
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

/** A file on its way to the printers that it was sent to, for the file's page. */
export function FileHandOvers({ fileId }: { fileId: number }) {
  const { data } = useQuery(handOversQuery({ g_code_file: fileId }))
  const { data: printers } = useQuery(printersQuery)
  const names = new Map(printers?.map(({ id, name }) => [id, name]))
  const newest = new Map<number, CloudPrint>()
  for (const one of data ?? []) if (!newest.has(one.printer)) newest.set(one.printer, one)
  return [...newest.values()].filter(isToBeShown).map((one) => (
    <HandOver
      key={one.id}
      one={one}
      where={
        <Link to={paths.control(one.printer)}>
          <bdi>{names.get(one.printer)}</bdi>
        </Link>
      }
    />
  ))
}

/** The file on its way to a printer, for the printer's page; wherever it was sent from. */
export function PrinterHandOver({ printer }: { printer: Printer }) {
  const { t } = useTranslation('cloud-prints')
  const client = useQueryClient()
  const { data } = useQuery(handOversQuery({ printer: printer.id }))
  const says = readStatus(printer)?.text
  const print = printer.current_print?.id
  useEffect(() => {
    void lookAgain(client)
  }, [client, says, print])
  const [one] = data ?? []
  if (!one || !isToBeShown(one)) return null
  // A print that has come to its first layer shows itself.
  if (one.state === 'printing') return null
  return (
    <HandOver
      one={one}
      where={one.g_code_file && <Link to={paths.file(one.g_code_file)}>{t('toFile')}</Link>}
    />
  )
}
