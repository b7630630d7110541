import { type Fields, fieldsOf } from '@vigil/contract/fields.ts'
import type { Call, Driver, PrinterEntry } from './driver.ts'
import { amount, factsIn, isShown, join } from './files.ts'

const moonraker = (func: string, kwargs: Fields): Call => ({
  target: 'moonraker_api',
  func,
  kwargs,
})

const GCODE = /\.(?:g|gcode|gco)$/i

/** Python writes a whole number of seconds with its `.0`, and the agent compares texts. */
const signatureOf = (modified: number) =>
  `ts:${Number.isInteger(modified) ? modified.toFixed(1) : String(modified)}`

function entry(kind: 'folder' | 'file', told: unknown, folder: string): PrinterEntry {
  const said = fieldsOf(told)
  const name = said[kind === 'folder' ? 'dirname' : 'filename']
  const modified = amount(said['modified'])
  const text = typeof name === 'string' ? name : ''
  return {
    kind,
    name: text,
    path: join(folder, text),
    size: kind === 'folder' ? null : amount(said['size']),
    modifiedAt: modified === null ? null : modified * 1000,
    signature: kind === 'folder' || modified === null ? null : signatureOf(modified),
    facts: factsIn(said),
  }
}

/** Files on a printer with Klipper, by Moonraker. */
export const klipperFiles: Driver['files'] = {
  list: (folder) =>
    moonraker('server/files/directory', {
      path: folder === '' ? 'gcodes' : join('gcodes', folder),
      extended: true,
    }),
  search: null,
  read: (ret, folder) => {
    const { dirs, files } = fieldsOf(ret)
    const folders = (Array.isArray(dirs) ? dirs : []).map((one: unknown) => entry('folder', one, folder))
    const all = (Array.isArray(files) ? files : []).map((one: unknown) => entry('file', one, folder))
    return [...folders, ...all.filter(({ name }) => GCODE.test(name))].filter(isShown)
  },
  details: (path) => moonraker('server/files/metadata', { filename: path }),
  readDetails: (ret) => factsIn(fieldsOf(ret)),
  start: (path) => moonraker('printer/print/start', { verb: 'post', filename: path }),
}
