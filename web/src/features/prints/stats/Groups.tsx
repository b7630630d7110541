import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/Panel.tsx'
import { type Bar, Bars } from './Bars.tsx'
import styles from './Stats.module.css'
import { type Scale, written } from './units.ts'

/** With more groups than this the table has those alone in which something was printed. */
const MANY = 60

interface GroupsProps {
  title: string
  bars: readonly Bar[]
  scale: Scale
}

/** One thing over time: a chart, and the same as a table. */
export function Groups({ title, bars, scale }: GroupsProps) {
  const { t } = useTranslation('stats')
  const { unit } = scale
  const say = (value: number) =>
    unit === 'prints' ? t('prints', { count: value }) : `${written(value, scale)}\u00a0${t(`short.${unit}`)}`
  const rows = bars.length > MANY ? bars.filter(({ value }) => value > 0) : bars
  return (
    <Panel title={title}>
      <div className={styles.group}>
        <Bars title={title} bars={bars} scale={scale} say={say} />
        {/* It scrolls by itself: the keyboard has to get there. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className={styles.table} role="region" aria-label={t('table', { title })} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('period')}</th>
                <th scope="col">{t(`units.${unit}`)}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ long, value }) => (
                <tr key={long}>
                  <th scope="row">{long}</th>
                  <td>{written(value, scale)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {rows.length === 0 && <p className={styles.soft}>{t('nothing')}</p>}
        </div>
      </div>
    </Panel>
  )
}
