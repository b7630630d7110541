import { useStoredChoice } from '../../lib/stored.ts'

const CHOICES = ['on', 'off'] as const

/** What an owner may have drawn on the camera's picture, and whether it is there before a choice was made. */
const LAYERS = { boxes: 'on', heat: 'off', zones: 'on' } as const
export type Layer = keyof typeof LAYERS
export const LAYER_NAMES = Object.keys(LAYERS) as Layer[]

/** Whether a layer is shown, remembered in this browser. */
export function useLayer(name: Layer): [boolean, (shown: boolean) => void] {
  const [choice, choose] = useStoredChoice(`camera-${name}`, CHOICES, LAYERS[name])
  return [choice === 'on', (shown) => choose(shown ? 'on' : 'off')]
}
