import type { Printer } from '@vigil/contract/printers.ts'
import { useStoredChoice } from '../../lib/stored.ts'
import { streamKey } from './camera.ts'

const TURNS = ['0', '90', '180', '270'] as const

/** Degrees that this browser turns a camera on top of its settings (key of api-contract 11.4). */
export function useTurn(printer: Printer): [number, () => void] {
  const [turn, setTurn] = useStoredChoice(`webcamRotationDeg_${printer.id}_${streamKey(printer)}`, TURNS, '0')
  return [Number(turn), () => setTurn(TURNS[(TURNS.indexOf(turn) + 1) % TURNS.length] ?? '0')]
}
