/** How much of a film is looked at to know what it is. */
export const SNIFFED_BYTES = 16

/** A picture is taken each ten seconds of a print. */
const STEP_S = 10
/** Of a film of a print of unknown length. */
const USUAL_STILLS = 300
const MOST_STILLS = 3_000

/** What a film is, by its name and its first bytes; null for anything else. */
export function kindOfFilm(name: string, head: Uint8Array): 'mp4' | 'mpg' | null {
  const [, ending] = /\.(mp4|mpe?g)$/i.exec(name) ?? []
  if (ending === undefined) return null
  const bytes = Buffer.from(head)
  if (ending.toLowerCase() === 'mp4') return bytes.toString('latin1', 4, 8) === 'ftyp' ? 'mp4' : null
  // A pack, or a sequence, of MPEG-1 or 2.
  return [0x1ba, 0x1b3].includes(bytes.length >= 4 ? bytes.readUInt32BE(0) : 0) ? 'mpg' : null
}

/**
 * Which pictures are taken out of a film of `filmSeconds`: how many seconds of it lie between two, and how many of the print
 * (`printSeconds`, null when its length is not known: then ten). Never more than the film has, nor 3,000.
 */
export function stillsOf(
  filmSeconds: number,
  picturesPerSecond: number,
  printSeconds: number | null,
): { readonly everySeconds: number; readonly stepSeconds: number; readonly most: number } {
  const wanted = printSeconds === null ? USUAL_STILLS : printSeconds / STEP_S
  const count = Math.max(1, Math.min(wanted, MOST_STILLS, filmSeconds * picturesPerSecond))
  const stepSeconds = printSeconds === null ? STEP_S : printSeconds / count
  return { everySeconds: filmSeconds / count, stepSeconds, most: Math.ceil(count) + 1 }
}
