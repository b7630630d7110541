import type { ReplayCurve } from '@vigil/contract/prints/replay.ts'
import { useTranslation } from 'react-i18next'
import { useTimeText } from '../../../ui/time.tsx'
import { highest } from './curves.ts'
import styles from './Replay.module.css'

interface VerdictsProps {
  was: ReplayCurve
  now: ReplayCurve | undefined
  onAt: (seconds: number) => void
}

/** The same in words and numbers; a moment leads there. */
export function Verdicts({ was, now, onAt }: VerdictsProps) {
  const { t } = useTranslation('replay')
  return (
    <table className={styles.verdicts}>
      <thead>
        <tr>
          <td />
          <th scope="col">{t('table.warned')}</th>
          <th scope="col">{t('table.paused')}</th>
          <th scope="col">{t('table.highest')}</th>
        </tr>
      </thead>
      <tbody>
        <Row kind="was" curve={was} onAt={onAt} />
        <Row kind="now" curve={now} onAt={onAt} />
      </tbody>
    </table>
  )
}

interface RowProps {
  kind: 'was' | 'now'
  curve: ReplayCurve | undefined
  onAt: (seconds: number) => void
}

function Row({ kind, curve, onAt }: RowProps) {
  const { t } = useTranslation('replay')
  const top = curve && highest(curve)
  return (
    <tr aria-busy={curve === undefined}>
      <th scope="row">
        <span className={styles.key} data-kind={kind} aria-hidden />
        {t(`table.${kind}`)}
      </th>
      <td>
        <Moment at={curve?.warned} onAt={onAt} />
      </td>
      <td>
        <Moment at={curve?.paused} onAt={onAt} />
      </td>
      <td>{top === null || top === undefined ? '–' : Math.round(top)}</td>
    </tr>
  )
}

function Moment({ at, onAt }: { at: number | null | undefined; onAt: (seconds: number) => void }) {
  const { t } = useTranslation('replay')
  const { duration } = useTimeText()
  if (at === undefined) return '…'
  if (at === null) return <span className={styles.never}>{t('table.never')}</span>
  return (
    <button type="button" className={styles.moment} onClick={() => onAt(at)}>
      {duration(Math.max(0, at))}
    </button>
  )
}
