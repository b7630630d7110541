import type { Heat } from '@vigil/contract/printers/printers.ts'

/** Cells below this score are clear; the strongest let most of the picture through. */
const CLEAR_BELOW = 0.2
const MOST_ALPHA = 0.4

/** Heat as RGBA, row by row: amber, then red, always more clear than opaque. */
export function heatPixels(values: ArrayLike<number>): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(values.length * 4)
  for (const [at, value] of Array.from(values).entries()) {
    const score = value / 255
    const strength = Math.max(0, (score - CLEAR_BELOW) / (1 - CLEAR_BELOW))
    pixels.set(
      [255, Math.round(170 * (1 - strength)), 20, Math.round(255 * MOST_ALPHA * Math.sqrt(strength))],
      at * 4,
    )
  }
  return pixels
}

/** The map as a small picture for an `<image>`; null when it is not what it says it is. */
export function heatImage({ width, height, values }: Heat): string | null {
  const cells = Uint8Array.from(atob(values), (letter) => letter.codePointAt(0) ?? 0)
  if (width < 1 || height < 1 || cells.length !== width * height) return null
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.putImageData(new ImageData(heatPixels(cells), width, height), 0, 0)
  return canvas.toDataURL()
}
