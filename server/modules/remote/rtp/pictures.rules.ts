/** `\r\n{length of the base64}:{length of the JPEG}\r\n`, alone or with the first of the text behind it (docs/wire/agents.md 4.4). */
const HEADER = /^\r\n(\d{1,8}):\d{1,8}\r\n/
const LONGEST_HEADER = 21

/** Where a message of a camera's data channel stands: at the beginning of a picture, in it, or alone, as statuses do. */
export type Place = 'begins' | 'goes on' | 'alone'

/** Follows a data channel from picture to picture, without keeping any. */
export class Pictures {
  #left = 0

  next(message: Buffer | string): Place {
    const start =
      typeof message === 'string'
        ? message.slice(0, LONGEST_HEADER)
        : message.toString('latin1', 0, LONGEST_HEADER)
    const header = HEADER.exec(start)
    if (header !== null) {
      this.#left = Number(header[1]) - (message.length - header[0].length)
      return 'begins'
    }
    if (this.#left <= 0) return 'alone'
    this.#left -= message.length
    return 'goes on'
  }
}
