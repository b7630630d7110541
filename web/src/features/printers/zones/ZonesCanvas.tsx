import type { Point, Zone } from '@vigil/contract/printers/zones.ts'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import {
  clamp,
  dropPoint,
  FEWEST_POINTS,
  insertPoint,
  middle,
  MOST_POINTS,
  movePoint,
  moveZone,
} from './outline.ts'
import styles from './Zones.module.css'
import { type Orientation, Snapshot } from '../../../ui/Snapshot.tsx'
import { Hatch, outlineText } from './ZoneShapes.tsx'

const STEP = 0.005
const BIG_STEP = 0.05

const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

interface ZonesCanvasProps {
  src: string
  /** How the picture is turned; zones lie on it as it is shown. */
  turned: Omit<Orientation, 'ratio'>
  zones: Zone[]
  selected: number | null
  /** The points of a zone that is being drawn. */
  draft: Point[] | null
  onZones: (zones: Zone[]) => void
  onSelect: (at: number | null) => void
  onDraft: (points: Point[]) => void
  onDrop: (at: number) => void
  onClosed: () => void
}

/** The picture and what is drawn on it. Handles are buttons: what a pointer drags, arrow keys move. */
export function ZonesCanvas(props: ZonesCanvasProps) {
  const { src, turned, zones, selected, draft, onZones, onSelect, onDraft, onDrop, onClosed } = props
  const { t } = useTranslation('zones')
  const frame = useRef<HTMLDivElement>(null)
  const [ratio, setRatio] = useState(16 / 9)
  const [cursor, setCursor] = useState<Point | null>(null)
  const drag = useRef<{ last: Point; move: (to: Point, by: Point) => void } | null>(null)
  const shown = selected === null ? undefined : zones[selected]

  function place(event: PointerEvent): Point {
    const box = (frame.current as HTMLDivElement).getBoundingClientRect()
    return clamp({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height })
  }

  function replace(at: number, zone: Zone) {
    onZones(zones.with(at, zone))
  }

  function begin(event: PointerEvent, move: (to: Point, by: Point) => void) {
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { last: place(event), move }
  }

  function onMove(event: PointerEvent) {
    const at = place(event)
    if (draft) setCursor(at)
    if (!drag.current) return
    const { last, move } = drag.current
    move(at, { x: at.x - last.x, y: at.y - last.y })
    drag.current.last = at
  }

  function onPress(event: PointerEvent) {
    if (event.button !== 0) return
    if (!draft) onSelect(null)
    else if (draft.length < MOST_POINTS) onDraft([...draft, place(event)])
  }

  function arrow(event: KeyboardEvent): Point | null {
    const way = ARROWS[event.key]
    if (!way) return null
    event.preventDefault()
    const step = event.shiftKey ? BIG_STEP : STEP
    return { x: way.x * step, y: way.y * step }
  }

  const isDelete = (event: KeyboardEvent) => event.key === 'Delete' || event.key === 'Backspace'

  function onZoneKey(event: KeyboardEvent, at: number, zone: Zone) {
    const by = arrow(event)
    if (by) replace(at, moveZone(zone, by.x, by.y))
    else if (isDelete(event)) onDrop(at)
  }

  function onPointKey(event: KeyboardEvent, zone: Zone, point: number) {
    if (selected === null) return
    const by = arrow(event)
    const from = zone[point] as Point
    if (by) replace(selected, movePoint(zone, point, { x: from.x + by.x, y: from.y + by.y }))
    else if (isDelete(event)) removePoint(zone, point)
  }

  function removePoint(zone: Zone, point: number) {
    if (selected === null) return
    const rest = dropPoint(zone, point)
    if (rest) replace(selected, rest)
    else onDrop(selected)
  }

  return (
    <div
      ref={frame}
      className={styles.canvas}
      style={{ maxWidth: `calc(70dvh * ${ratio})` }}
      data-drawing={draft !== null || undefined}
      onPointerDown={onPress}
      onPointerMove={onMove}
      onPointerUp={() => (drag.current = null)}
      onPointerCancel={() => (drag.current = null)}
      onPointerLeave={() => setCursor(null)}
    >
      <Snapshot src={src} alt={t('picture')} orientation={{ ...turned, ratio: null }} onRatio={setRatio} />
      <svg viewBox="0 0 1 1" preserveAspectRatio="none">
        <Hatch />
        {zones.map((zone, at) => (
          <polygon
            // Zones have no names of their own; their place is who they are.
            // oxlint-disable-next-line no-array-index-key
            key={at}
            points={outlineText(zone)}
            className={styles.zone}
            data-selected={at === selected || undefined}
            role="button"
            tabIndex={draft ? -1 : 0}
            aria-pressed={at === selected}
            aria-label={t('zone', { number: at + 1 })}
            onFocus={() => !draft && onSelect(at)}
            onKeyDown={(event) => onZoneKey(event, at, zone)}
            onPointerDown={(event) => {
              if (draft) return
              onSelect(at)
              let held = zone
              begin(event, (_, by) => {
                held = moveZone(held, by.x, by.y)
                replace(at, held)
              })
            }}
          />
        ))}
        {draft && (
          <polyline points={outlineText(cursor ? [...draft, cursor] : draft)} className={styles.draft} />
        )}
      </svg>
      {!draft &&
        shown?.map((point, at) => (
          <Handle
            // oxlint-disable-next-line no-array-index-key
            key={at}
            at={point}
            label={t('point', { point: at + 1, number: (selected ?? 0) + 1 })}
            onKeyDown={(event) => onPointKey(event, shown, at)}
            onDoubleClick={() => removePoint(shown, at)}
            onPointerDown={(event) => begin(event, (to) => replace(selected ?? 0, movePoint(shown, at, to)))}
          />
        ))}
      {!draft &&
        shown &&
        shown.length < MOST_POINTS &&
        shown.map((_, at) => {
          const between = middle(shown, at)
          const grown = insertPoint(shown, at, between)
          return (
            <Handle
              // oxlint-disable-next-line no-array-index-key
              key={`m${at}`}
              small
              at={between}
              label={t('middle', { point: at + 1, number: (selected ?? 0) + 1 })}
              onClick={() => replace(selected ?? 0, grown)}
              onPointerDown={(event) => event.stopPropagation()}
            />
          )
        })}
      {draft?.map((point, at) => (
        <Handle
          // oxlint-disable-next-line no-array-index-key
          key={at}
          at={point}
          small={at > 0}
          label={at === 0 ? t('first') : t('point', { point: at + 1, number: zones.length + 1 })}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={() => at === 0 && draft.length >= FEWEST_POINTS && onClosed()}
        />
      ))}
    </div>
  )
}

interface HandleProps {
  at: Point
  label: string
  small?: boolean
  onClick?: () => void
  onDoubleClick?: () => void
  onKeyDown?: (event: KeyboardEvent) => void
  onPointerDown?: (event: PointerEvent) => void
}

function Handle({ at, label, small, ...events }: HandleProps) {
  return (
    <button
      type="button"
      className={styles.handle}
      data-small={small || undefined}
      style={{ left: `${at.x * 100}%`, top: `${at.y * 100}%` }}
      aria-label={label}
      {...events}
    />
  )
}
