import { useTranslation } from 'react-i18next'
import { degrees } from '../../../lib/format.ts'
import { Panel } from '../../../ui/Panel.tsx'
import type { StatusReading } from '../status.ts'
import { useWords } from '../words.ts'
import styles from './ControlPage.module.css'

/** Actual and target of every heater that is there. */
export function TemperatureWidget({ reading }: { reading: StatusReading }) {
  const { t } = useTranslation('printers')
  const words = useWords()
  return (
    <Panel title={t('temperatures.title')}>
      {reading.heaters.length === 0 ? (
        <p className={styles.hint}>{t('temperatures.none')}</p>
      ) : (
        <dl className={styles.heaters}>
          {reading.heaters.map((heater) => (
            <div key={heater.key}>
              <dt>{words.heater(heater)}</dt>
              <dd>
                <strong>{degrees(heater.actual)}</strong>
              </dd>
              <dd className={styles.target}>
                {heater.target
                  ? t('temperatures.target', { degrees: `${Math.round(heater.target)}°` })
                  : t('temperatures.off')}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  )
}
