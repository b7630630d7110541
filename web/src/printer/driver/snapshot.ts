import type { Driver } from './driver.ts'

/** A picture that the agent fetches for us: both agents take the same call. */
export const snapshot: Driver['snapshot'] = {
  shoot: (address) => ({ target: 'jpeg_poster', func: 'web_snapshot_request', args: [address] }),
  // A JPEG in base64 begins so; anything else is not shown.
  picture: (ret) => {
    const pic = (ret as { pic?: unknown } | null)?.pic
    const isJpeg = typeof pic === 'string' && /^\/9j\/[\w+/]+={0,2}$/.test(pic)
    return isJpeg ? `data:image/jpeg;base64,${pic}` : null
  },
}
