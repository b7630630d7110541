const PIXELS = 1000

/** The middle of a canvas as a square JPEG: that knows nothing of what shows through, so it gets a ground. */
export async function squarePicture(canvas: HTMLCanvasElement, ground: string): Promise<Blob> {
  const side = document.createElement('canvas')
  side.width = side.height = PIXELS
  const context = side.getContext('2d')
  if (!context) return new Blob([])
  const { width, height } = canvas
  const from = Math.min(width, height)
  context.fillStyle = ground
  context.fillRect(0, 0, PIXELS, PIXELS)
  context.drawImage(canvas, (width - from) / 2, (height - from) / 2, from, from, 0, 0, PIXELS, PIXELS)
  const blob = await new Promise<Blob | null>((resolve) => side.toBlob(resolve, 'image/jpeg', 0.85))
  return blob ?? new Blob([])
}
