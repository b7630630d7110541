import { type Fields, fieldsOf } from '@vigil/contract/fields.ts'
import type { Call, Driver, PrinterEntry } from './driver.ts'
import { amount, factsIn, isShown, join } from './files.ts'

const list = (kwargs: Fields): Call => ({
  target: '_file_manager',
  func: 'list_files',
  kwargs,
})

/** What lies in a folder, as OctoPrint tells it: a tree, of which a search fills the branches too. */
function entriesIn(folder: Fields, path: string, deep: boolean): PrinterEntry[] {
  return Object.entries(folder).flatMap(([key, told]): PrinterEntry[] => {
    const said = fieldsOf(told)
    const name = typeof said['display'] === 'string' ? said['display'] : key
    const at = typeof said['path'] === 'string' ? said['path'] : join(path, key)
    const shown = isShown({ name: key })
    if (said['type'] === 'folder') {
      if (!shown) return []
      if (deep) return entriesIn(fieldsOf(said['children']), at, true)
      return [{ kind: 'folder', name, path: at, ...unknown }]
    }
    if (said['type'] !== 'machinecode' || !shown) return []
    const date = amount(said['date'])
    const { hash } = said
    return [
      {
        kind: 'file',
        name,
        path: at,
        size: amount(said['size']),
        modifiedAt: date === null ? null : date * 1000,
        signature: typeof hash === 'string' && hash !== '' ? `md5:${hash}` : null,
        facts: factsIn(analysisOf(said)),
      },
    ]
  })
}

const unknown = { size: null, modifiedAt: null, signature: null, facts: factsIn({}) } as const

/** OctoPrint's own analysis of a file. */
function analysisOf(said: Fields): Fields {
  const analysis = fieldsOf(said['analysis'])
  let filament = 0
  for (const tool of Object.values(fieldsOf(analysis['filament'])))
    filament += amount(fieldsOf(tool)['length']) ?? 0
  return {
    estimated_time: analysis['estimatedPrintTime'],
    filament_total: filament > 0 ? filament : null,
    object_height: fieldsOf(analysis['dimensions'])['height'],
  }
}

/** Files on a printer with OctoPrint. */
export const octoprintFiles: Driver['files'] = {
  list: (folder) => list({ path: folder, recursive: false, level: 1 }),
  // Its own filter is a pattern: what is looked for is looked for as it stands.
  search: {
    ask: (part) => list({ filter: part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), recursive: true }),
    read: (ret) => entriesIn(fieldsOf(fieldsOf(ret)['local']), '', true),
  },
  read: (ret, folder) => entriesIn(fieldsOf(fieldsOf(ret)['local']), folder, false),
  details: null,
  readDetails: () => factsIn({}),
  start: (path) => ({
    target: '_printer',
    func: 'select_file',
    args: [path, null],
    kwargs: { printAfterSelect: 'true' },
  }),
}
