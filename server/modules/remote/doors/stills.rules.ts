/** What a printer's page asks of its webcam: moving pictures, or one. */
export type WebcamAsk = 'stream' | 'snapshot'

/** Webcams as mjpg-streamer, crowsnest and camera-streamer name them, behind the printer's own web server. */
const WEBCAM = /^\/webcam\d*(?:\/(stream|snapshot)?)?$/i
const ACTION = /(?:^|&)action=(stream|snapshot)(?:&|$)/i

/** What is asked of a webcam by a path with its query; null: it is no webcam's. */
export function webcamAsked(url: string): WebcamAsk | null {
  const [path = '', query = ''] = url.split('?', 2)
  const found = WEBCAM.exec(path)
  const word = (found?.[1] ?? (found && ACTION.exec(query)?.[1]))?.toLowerCase()
  return word === 'stream' || word === 'snapshot' ? word : null
}

/** Milliseconds between two stills: a plan with a cap gives 0.1 a second, others as many as come (docs/wire/remote.md 6). */
export const stillEvery = (isCapped: boolean) => (isCapped ? 10_000 : 1_000)
