import { useEffect, useRef } from 'react'
import type { Tool } from './hands.ts'
import { type Piece } from '../meshes/index.ts'
import type { usePieces } from './usePieces.ts'

const STEP_MM = 10
const FINE_MM = 1
const TURN = 45

/** The tool of a key, as PrusaSlicer has them. */
const TOOL_OF: Readonly<Record<string, Tool>> = {
  m: 'translate',
  r: 'rotate',
  s: 'scale',
  f: 'face',
  c: 'cut',
}
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

interface Keys {
  plate: ReturnType<typeof usePieces>
  onTool: (tool: Tool) => void
  onHeat: () => void
}

/** The keys of the known slicers, while nobody writes and no dialog is open. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || isTaken(event.target)) return
      const isCommand = event.ctrlKey || event.metaKey
      const isDone = isCommand ? command(latest.current, event) : plain(latest.current, event)
      if (isDone) event.preventDefault()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

const isTaken = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="radiogroup"]') !== null

function command({ plate }: Keys, { key, shiftKey }: KeyboardEvent): boolean {
  const { chosen } = plate
  const run = {
    z: shiftKey ? plate.redo : plate.undo,
    y: plate.redo,
    d: chosen && (() => plate.copy(chosen)),
  }[key.toLowerCase()]
  run?.()
  return run != null
}

function plain({ plate, onTool, onHeat }: Keys, { key, shiftKey }: KeyboardEvent): boolean {
  const low = key.toLowerCase()
  const tool = TOOL_OF[low]
  if (tool) onTool(tool)
  else if (low === 'a') plate.arrange()
  else if (low === 'o') plate.orient()
  else if (low === 'l') onHeat()
  else if (key === 'Escape') plate.choose(null)
  else return plate.chosen !== null && ofPiece(plate, plate.chosen, key, shiftKey)
  return true
}

function ofPiece(plate: Keys['plate'], piece: Piece, key: string, isFine: boolean): boolean {
  const move = MOVES[key]
  const [x, y, z] = piece.rotate
  if (move) {
    const step = isFine ? FINE_MM : STEP_MM
    const [px, py] = piece.translate
    plate.place(piece.key, { translate: [px + move[0] * step, py + move[1] * step, 0] })
  } else if (key === 'PageUp') plate.place(piece.key, { rotate: [x, y, z + TURN] })
  else if (key === 'PageDown') plate.place(piece.key, { rotate: [x, y, z - TURN] })
  else if (key === '+') plate.copy(piece)
  else if (key === 'Delete' || key === 'Backspace') plate.remove(piece)
  else return false
  return true
}
