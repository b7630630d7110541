import { ActionIcon, SegmentedControl, Switch } from '@mantine/core'
import { IconCube, IconSquare } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './Gcode.module.css'
import type { Paint } from './paint.ts'
import type { Shown } from './shown.ts'
import type { Toolpath } from './toolpath.ts'

interface ToolsProps {
  path: Toolpath
  shown: Shown
  isFlat: boolean
  onChange: (next: Partial<Shown>) => void
  onLook: (from: 'front' | 'top') => void
}

/** What the colours tell, travels, and from where it is looked at. */
export function Tools({ path, shown, isFlat, onChange, onLook }: ToolsProps) {
  const { t } = useTranslation('gcode')
  const paints: Paint[] = ['feature', 'speed', 'width', ...(path.tools > 1 ? (['tool'] as const) : [])]
  return (
    <div className={styles.tools}>
      <SegmentedControl
        size="xs"
        aria-label={t('paint.title')}
        value={shown.paint}
        data={paints.map((paint) => ({ value: paint, label: t(`paint.${paint}`) }))}
        onChange={(paint) => onChange({ paint })}
      />
      <Switch
        size="sm"
        label={t('travels')}
        checked={shown.withTravels}
        onChange={(event) => onChange({ withTravels: event.currentTarget.checked })}
      />
      {!isFlat && (
        <div className={styles.looks}>
          <ActionIcon size={32} aria-label={t('top')} title={t('top')} onClick={() => onLook('top')}>
            <IconSquare size={18} />
          </ActionIcon>
          <ActionIcon size={32} aria-label={t('reset')} title={t('reset')} onClick={() => onLook('front')}>
            <IconCube size={18} />
          </ActionIcon>
        </div>
      )}
    </div>
  )
}
