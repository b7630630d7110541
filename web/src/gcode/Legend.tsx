import { useTranslation } from 'react-i18next'
import { FEATURES } from '@vigil/contract/gcode/features.ts'
import styles from './Gcode.module.css'
import { featureColour, scaleGradient, spanOf, toolColour } from './paint.ts'
import type { Shown } from './shown.ts'
import type { Toolpath } from './toolpath.ts'

/** What the colours mean, in words; of what is in this file alone. */
export function Legend({ path, shown }: { path: Toolpath; shown: Shown }) {
  const { t } = useTranslation('gcode')
  const { paint, withTravels } = shown
  if (paint === 'speed' || paint === 'width') {
    const [least, most] = spanOf(path, paint)
    const unit = paint === 'speed' ? 'speedOf' : 'widthOf'
    const digits = paint === 'speed' ? 0 : 2
    return (
      <div className={styles.scale}>
        <span>{t(unit, { value: least.toFixed(digits) })}</span>
        <span className={styles.gradient} style={{ background: scaleGradient }} aria-hidden />
        <span>{t(unit, { value: most.toFixed(digits) })}</span>
      </div>
    )
  }
  const items =
    paint === 'tool'
      ? Array.from({ length: path.tools }, (_, at) => ({
          key: String(at),
          colour: toolColour(at),
          word: t('tool', { number: at + 1 }),
        }))
      : FEATURES.filter((_, at) => (path.features & (1 << at)) !== 0)
          .flatMap((feature) => (feature === 'jump' || (feature === 'travel' && !withTravels) ? [] : feature))
          .map((feature) => ({ key: feature, colour: featureColour(feature), word: t(`feature.${feature}`) }))
  return (
    <ul className={styles.legend} aria-label={t('legend')}>
      {items.map(({ key, colour, word }) => (
        <li key={key}>
          <span className={styles.swatch} style={{ background: colour }} aria-hidden />
          {word}
        </li>
      ))}
    </ul>
  )
}
