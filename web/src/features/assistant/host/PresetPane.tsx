import { NativeSelect } from '@mantine/core'
import { useTranslation } from '../../../lib/translation.ts'
import { type Bench, type BenchState, type Kind, wordOf } from './bench.ts'
import styles from './Host.module.css'

const KINDS = [
  ['printer', 'printers', 'printer'],
  ['filament', 'filaments', 'filament'],
  ['print', 'processes', 'process'],
] as const

/** What is selected, and what of it was changed: as the slicer's own side bar says it. */
export function PresetPane({ bench, state }: { bench: Bench; state: BenchState }) {
  const { t } = useTranslation('assistant')
  const { selected, overrides } = state
  const changed = (['print', 'filament'] as const).flatMap((kind: Kind) =>
    Object.entries(overrides[kind]).map(([key, value]) => ({
      key,
      before: wordOf(bench.preset(kind)?.config[key]),
      after: wordOf(value),
    })),
  )
  return (
    <section className={styles.presets}>
      <div>
        {KINDS.map(([kind, list, word]) => (
          <NativeSelect
            key={kind}
            label={t(`host.${word}`)}
            value={selected[kind]}
            data={state[list].map(({ name }) => name)}
            onChange={({ currentTarget }) => bench.select(kind, currentTarget.value)}
          />
        ))}
      </div>
      <div>
        <h2>{t('host.dirty')}</h2>
        {changed.length === 0 ? (
          <p>{t('host.clean')}</p>
        ) : (
          <table>
            <tbody>
              {changed.map(({ key, before, after }) => (
                <tr key={key}>
                  <th scope="row">{key}</th>
                  <td>{before ?? '–'}</td>
                  <td>{after}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  )
}
