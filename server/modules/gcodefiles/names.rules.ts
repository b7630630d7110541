/** A name as files are called on printers: every character but those of words, and the dot, becomes an underscore. */
export const safeName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}_.]/gu, '_')

const EXTENSIONS = /\.(?:g|gcode|gco)$/i

/** Whether a name ends as G-code does: `.g`, `.gcode` or `.gco`. */
export const isGCodeName = (name: string): boolean => EXTENSIONS.test(name)

/** The beginning of a file that is text: G-code holds no NUL, real binaries nearly always do. */
export const isText = (head: Uint8Array): boolean => !head.includes(0)
