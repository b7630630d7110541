import { ActionIcon } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowsMove,
  IconCut,
  IconFlame,
  IconLayoutGrid,
  IconResize,
  IconRotate,
  IconStackPush,
  IconWand,
} from '@tabler/icons-react'
import { useTranslation } from '../../../lib/translation.ts'
import type { Tool } from './hands.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Plate.module.css'

const TOOLS = [
  { tool: 'translate', key: 'M', icon: IconArrowsMove },
  { tool: 'rotate', key: 'R', icon: IconRotate },
  { tool: 'scale', key: 'S', icon: IconResize },
  { tool: 'face', key: 'F', icon: IconStackPush },
  { tool: 'cut', key: 'C', icon: IconCut },
] as const

interface ToolsProps {
  tool: Tool
  /** Chosen once more, its sheet opens or closes. */
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
      {TOOLS.map(({ tool: one, key, icon: Icon }) => (
        <ActionIcon
          key={one}
          size={44}
          variant={tool === one ? 'filled' : 'subtle'}
          aria-label={t(`tool.${one}`)}
          aria-pressed={tool === one}
          title={`${t(`tool.${one}`)} (${key})`}
          onClick={() => onTool(one)}
        >
          <Icon size={20} stroke={1.75} />
        </ActionIcon>
      ))}
      <span className={shared.spring} />
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
