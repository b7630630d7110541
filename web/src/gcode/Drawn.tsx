import {
  ActionIcon,
  Box,
  Flex,
  Group,
  RangeSlider,
  SegmentedControl,
  Slider,
  Stack,
  Switch,
} from '@mantine/core'
import { IconCube, IconSquare } from '@tabler/icons-react'
import { FEATURES } from '@vigil/contract/gcode/features.ts'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../lib/translation.ts'
import styles from './Gcode.module.css'
import { featureColour, scaleGradient, spanOf, toolColour, type Paint } from './paint.ts'
import { clamped, type Shown, whole } from './shown.ts'
import { Stage, type StageHandle } from './Stage.tsx'
import { endOf, type Toolpath } from './toolpath.ts'

/** A toolpath with all by which it is looked at. */
export function Drawn({ path, bedArea }: { path: Toolpath; bedArea: string | null }) {
  const { t } = useTranslation('gcode')
  const [shown, setShown] = useState(() => whole(path))
  const [less, setLess] = useState<'flat' | 'fewer' | null>(null)
  const isFlat = less === 'flat'
  const stage = useRef<StageHandle>(null)
  const change = (next: Partial<Shown>) => setShown((held) => clamped(path, { ...held, ...next }))
  const [from, to] = shown.layers
  const moves = useMemo(() => endOf(path, to) - (path.starts[to] ?? 0), [path, to])

  function step(event: KeyboardEvent) {
    const next = stepped(event.key, shown, moves)
    if (next === null || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    change(next)
  }

  const isEmpty = path.starts.length === 0
  return (
    <div className={styles.view} data-flat={isFlat || undefined}>
      <Tools
        path={path}
        shown={shown}
        onChange={change}
        isFlat={isFlat}
        onLook={(way) => stage.current?.look(way)}
      />
      {less !== null && <p className={styles.note}>{t(less)}</p>}
      {isEmpty && <p className={styles.note}>{t('empty')}</p>}
      {!path.isWhole && <p className={styles.note}>{t('cut', { layers: path.starts.length })}</p>}
      <Flex gap={12} miw={0}>
        <Stage
          ref={stage}
          path={path}
          bedArea={bedArea}
          shown={shown}
          onLess={setLess}
          onKeyDown={step}
          label={t('picture', { from: from + 1, to: to + 1, count: path.starts.length })}
        />
        {path.starts.length > 1 && (
          <LayerSlider path={path} shown={shown} isFlat={isFlat} onChange={change} />
        )}
      </Flex>
      {!isEmpty && <MoveSlider moves={moves} shown={shown} onChange={change} />}
      <Legend path={path} shown={shown} />
    </div>
  )
}

/** Up and down go through layers, left and right through the moves of the last one. */
function stepped(key: string, { layers: [from, to], moves }: Shown, all: number): Partial<Shown> | null {
  if (key === 'ArrowUp') return { layers: [from, to + 1], moves: null }
  if (key === 'ArrowDown') return { layers: [Math.min(from, Math.max(0, to - 1)), to - 1], moves: null }
  if (key === 'ArrowRight') return { moves: (moves ?? all) + 1 }
  return key === 'ArrowLeft' ? { moves: (moves ?? all) - 1 } : null
}

/** What the colours mean, in words; of what is in this file alone. */
function Legend({ path, shown }: { path: Toolpath; shown: Shown }) {
  const { t } = useTranslation('gcode')
  const { paint, withTravels } = shown
  if (paint === 'speed' || paint === 'width') {
    const [least, most] = spanOf(path, paint)
    const unit = paint === 'speed' ? 'speedOf' : 'widthOf'
    const digits = paint === 'speed' ? 0 : 2
    return (
      <div className={styles.scale}>
        <span>{t(unit, { value: least.toFixed(digits) })}</span>
        <Box
          component="span"
          flex="0 1 260px"
          h={10}
          bdrs={5}
          style={{ background: scaleGradient }}
          aria-hidden
        />
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
          <Box component="span" w={12} h={12} bdrs={3} style={{ background: colour }} aria-hidden />
          {word}
        </li>
      ))}
    </ul>
  )
}

interface ToolsProps {
  path: Toolpath
  shown: Shown
  isFlat: boolean
  onChange: (next: Partial<Shown>) => void
  onLook: (from: 'front' | 'top') => void
}

/** What the colours tell, travels, and from where it is looked at. */
function Tools({ path, shown, isFlat, onChange, onLook }: ToolsProps) {
  const { t } = useTranslation('gcode')
  const paints: Paint[] = ['feature', 'speed', 'width', ...(path.tools > 1 ? (['tool'] as const) : [])]
  return (
    <Group gap="10px 16px">
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
    </Group>
  )
}

interface Sliding {
  shown: Shown
  onChange: (next: Partial<Shown>) => void
}

/** Which layers are shown: from which, to which. Flat, only one is. */
function LayerSlider({ path, shown, isFlat, onChange }: Sliding & { path: Toolpath; isFlat: boolean }) {
  const { t } = useTranslation('gcode')
  const [from, to] = shown.layers
  const count = path.starts.length
  const shared = {
    className: styles.layers,
    orientation: 'vertical',
    min: 1,
    max: count,
    label: (value: number) => value,
  } as const
  const height = (path.heights[to] ?? 0).toFixed(2)
  return (
    <Stack gap={14} align="center" w={64} pt={8}>
      {isFlat ? (
        <Slider
          {...shared}
          value={to + 1}
          thumbLabel={t('layer')}
          onChange={(value) => onChange({ layers: [0, value - 1], moves: null })}
        />
      ) : (
        <RangeSlider
          {...shared}
          value={[from + 1, to + 1]}
          minRange={0}
          thumbFromLabel={t('fromLayer')}
          thumbToLabel={t('toLayer')}
          onChange={([least, most]) => onChange({ layers: [least - 1, most - 1], moves: null })}
        />
      )}
      <p className={styles.figures}>
        <span>{isFlat || from === to ? to + 1 : `${from + 1}–${to + 1}`}</span>
        <span>{t('of', { count })}</span>
        <span>{t('mm', { mm: height })}</span>
      </p>
    </Stack>
  )
}

/** How far into the last layer. */
function MoveSlider({ moves, shown, onChange }: Sliding & { moves: number }) {
  const { t } = useTranslation('gcode')
  const at = shown.moves ?? moves
  return (
    <Group gap={14} wrap="nowrap" fz={13} c="dimmed">
      <span>{t('move')}</span>
      <Slider
        flex={1}
        miw={0}
        min={1}
        max={Math.max(2, moves)}
        disabled={moves < 2}
        value={at}
        thumbLabel={t('move')}
        label={(value) => value}
        onChange={(value) => onChange({ moves: value })}
      />
      <span className={styles.count}>{t('moveOf', { at, count: moves })}</span>
    </Group>
  )
}
