type Picture = HTMLVideoElement | HTMLCanvasElement | HTMLImageElement

/** What is seen in a place of a picture (`data-picture`): the moving one, else the still. */
export function pictureIn(place: Element | null): Picture | null {
  const moving = place?.querySelector<HTMLVideoElement | HTMLCanvasElement>('video, canvas')
  if (moving && sizeOf(moving).width > 0 && moving.checkVisibility({ visibilityProperty: true }))
    return moving
  return place?.querySelector('img') ?? null
}

function sizeOf(picture: Picture): { width: number; height: number } {
  if (picture instanceof HTMLVideoElement) return { width: picture.videoWidth, height: picture.videoHeight }
  if (picture instanceof HTMLImageElement)
    return { width: picture.naturalWidth, height: picture.naturalHeight }
  return { width: picture.width, height: picture.height }
}

interface Turned {
  flipH: boolean
  flipV: boolean
  rotation: number
}

/** Gives what is seen, turned as it is seen, as a file of that name. */
export async function savePicture(picture: Picture, { flipH, flipV, rotation }: Turned, name: string) {
  const { width, height } = sizeOf(picture)
  const sideways = rotation % 180 !== 0
  const canvas = document.createElement('canvas')
  canvas.width = sideways ? height : width
  canvas.height = sideways ? width : height
  const pen = canvas.getContext('2d')
  if (!pen || width === 0) return
  pen.translate(canvas.width / 2, canvas.height / 2)
  pen.rotate((rotation * Math.PI) / 180)
  pen.scale(flipH ? -1 : 1, flipV ? -1 : 1)
  pen.drawImage(picture, -width / 2, -height / 2, width, height)
  const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92))
  if (!jpeg) return
  const link = document.createElement('a')
  link.href = URL.createObjectURL(jpeg)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Whether a moving picture can leave its page. */
export const canFloat = (): boolean => document.pictureInPictureEnabled === true

/** Moves it into a window of its own, or back. */
export async function float(picture: Picture): Promise<void> {
  if (document.pictureInPictureElement) return await document.exitPictureInPicture()
  if (picture instanceof HTMLVideoElement) return void (await picture.requestPictureInPicture())
  if (!(picture instanceof HTMLCanvasElement)) return
  const video = document.createElement('video')
  video.muted = true
  video.srcObject = picture.captureStream()
  await video.play()
  await video.requestPictureInPicture()
}
