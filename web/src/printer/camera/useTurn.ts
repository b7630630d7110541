import { useStoredChoice } from '../../lib/stored.ts'
import type { Camera } from './camera.ts'

const TURNS = ['0', '90', '180', '270'] as const

/** Degrees that this browser turns a camera on top of its settings (key of docs/wire/browsers.md 4). */
export function useTurn(printerId: number, { key }: Pick<Camera, 'key'>): [number, () => void] {
  const [turn, setTurn] = useStoredChoice(`webcamRotationDeg_${printerId}_${key}`, TURNS, '0')
  return [Number(turn), () => setTurn(TURNS[(TURNS.indexOf(turn) + 1) % TURNS.length] ?? '0')]
}
