/** Base64 of one picture that is taken: a full-HD JPEG has a tenth of it. */
const MOST_BASE64 = 4_000_000
/** `\r\n{length of the base64}:{length of the JPEG}\r\n`, alone or with the first of the text behind it. */
const HEADER = /^\r\n(\d{1,8}):(\d{1,8})\r\n/
const LONGEST_HEADER = 21

interface Coming {
  base64: number
  jpeg: number
  parts: string[]
  had: number
}

/**
 * Makes pictures of the messages of a camera's data channel (docs/wire/agents.md 4.4): a header, then base64 text in pieces. Whoever begins
 * to read in the middle of a picture waits for the next header; what does not come to what was announced is dropped and counted.
 */
export class MjpegReader {
  #coming: Coming | null = null
  #dropped = 0

  /** Pictures that were begun and did not become one. */
  get dropped(): number {
    return this.#dropped
  }

  /** Bytes of a whole JPEG when this message ends one, else null. */
  push(message: string | Uint8Array): Uint8Array<ArrayBuffer> | null {
    const text = typeof message === 'string' ? message : latin(message)
    if (!text.startsWith('\r\n')) return this.#add(text)
    if (this.#coming !== null) this.#drop()
    const header = HEADER.exec(text.slice(0, LONGEST_HEADER))
    if (header === null) return null
    const [base64, jpeg] = [Number(header[1]), Number(header[2])]
    if (jpeg < 4 || base64 > MOST_BASE64 || base64 !== Math.ceil(jpeg / 3) * 4) {
      this.#dropped++
      return null
    }
    this.#coming = { base64, jpeg, parts: [], had: 0 }
    const rest = text.slice(header[0].length)
    return rest === '' ? null : this.#add(rest)
  }

  #add(text: string): Uint8Array<ArrayBuffer> | null {
    const coming = this.#coming
    if (coming === null || text === '') return null
    coming.had += text.length
    if (coming.had > coming.base64) return this.#drop()
    coming.parts.push(text)
    if (coming.had < coming.base64) return null
    this.#coming = null
    const jpeg = decoded(coming.parts.join(''))
    if (jpeg?.length === coming.jpeg && jpeg[0] === 0xff && jpeg[1] === 0xd8) return jpeg
    this.#dropped++
    return null
  }

  #drop(): null {
    this.#coming = null
    this.#dropped++
    return null
  }
}

const decoder = new TextDecoder('latin1')
const latin = (bytes: Uint8Array) => decoder.decode(bytes)

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    const text = atob(base64)
    const bytes = new Uint8Array(text.length)
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
    return bytes
  } catch {
    return null
  }
}
