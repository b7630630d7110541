import { ActionIcon, SegmentedControl } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconFlame, IconLayoutGrid, IconWand } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Tool } from './hands.ts'
import styles from './Slicing.module.css'

const TOOLS: readonly Tool[] = ['translate', 'rotate', 'scale', 'face']

interface ToolsProps {
  tool: Tool
  onTool: (tool: Tool) => void
  isHeat: boolean
  onHeat: (isHeat: boolean) => void
  onArrange: (() => void) | null
  onOrient: (() => void) | null
  undo: (() => void) | null
  redo: (() => void) | null
}

/** What the hand does with a piece, and what is done with all: beside the plate, within reach of a thumb. */
export function Tools({ tool, onTool, isHeat, onHeat, onArrange, onOrient, undo, redo }: ToolsProps) {
  const { t } = useTranslation('slicing')
  const buttons = [
    { name: t('arrange'), key: 'A', run: onArrange, icon: IconLayoutGrid },
    { name: t('orient'), key: 'O', run: onOrient, icon: IconWand },
    { name: t('undo'), key: 'Ctrl+Z', run: undo, icon: IconArrowBackUp },
    { name: t('redo'), key: 'Ctrl+Y', run: redo, icon: IconArrowForwardUp },
  ]
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('tools')}>
      <SegmentedControl
        aria-label={t('hand')}
        value={tool}
        onChange={onTool}
        data={TOOLS.map((value) => ({ value, label: t(`tool.${value}`) }))}
      />
      {buttons.map(({ name, key, run, icon: Icon }) => (
        <ActionIcon
          key={name}
          size={44}
          variant="subtle"
          aria-label={name}
          title={`${name} (${key})`}
          disabled={run === null}
          onClick={() => run?.()}
        >
          <Icon size={20} stroke={1.75} />
        </ActionIcon>
      ))}
      <ActionIcon
        size={44}
        variant={isHeat ? 'filled' : 'subtle'}
        aria-label={t('overhangs')}
        aria-pressed={isHeat}
        title={`${t('overhangs')} (L)`}
        onClick={() => onHeat(!isHeat)}
      >
        <IconFlame size={20} stroke={1.75} />
      </ActionIcon>
    </div>
  )
}
