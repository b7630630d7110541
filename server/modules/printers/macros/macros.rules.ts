import { type Fields, fieldsOf } from '@vigil/contract/fields.ts'
import type { Macro, MacroReason } from '@vigil/contract/printers/macros.ts'
import type { StatusReading } from '@vigil/contract/core/status.ts'
import { storableText } from '../../../lib/tolerant-json.ts'

/** As many as a configuration has in earnest, and more. */
const MOST_MACROS = 500
const MOST_PARAMS = 20
const MOST_GCODE = 65_536
const SECTION = /^gcode_macro +([a-z]\w{0,99})$/i
/** `params.BED_TEMP|default(60)|float`; what is reckoned is no default that could be shown. */
const PARAM = /\bparams\.([a-z]\w{0,59})(?:\s{0,3}\|\s{0,3}default\(\s{0,3}([^(),|]{0,60})[,)])?/gi

/** What has a button of its own on the page, which asks and remembers what is to be. */
const HAVE_BUTTONS = new Set(['PAUSE', 'RESUME', 'CANCEL_PRINT'])

/**
 * The macros in what Klipper answers of its `configfile.settings`, whose sections are in small letters; null when it told no settings.
 * Only names, descriptions and parameters are taken: the rest of a configuration is its owner's.
 */
export function macrosIn(answer: unknown): Macro[] | null {
  const { settings } = fieldsOf(fieldsOf(fieldsOf(answer)['status'])['configfile'])
  if (settings === undefined) return null
  return Object.entries(fieldsOf(settings))
    .flatMap(([section, told]) => {
      const name = SECTION.exec(section)?.[1]?.toUpperCase()
      return name === undefined || HAVE_BUTTONS.has(name) ? [] : [readMacro(name, fieldsOf(told))]
    })
    .slice(0, MOST_MACROS)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function readMacro(name: string, { description, gcode }: Fields): Macro {
  // Klipper's own words where nobody has described it.
  const isSaid = typeof description === 'string' && description !== 'G-Code macro'
  return {
    name,
    description: isSaid ? storableText(description, 300) || null : null,
    params: typeof gcode === 'string' ? paramsIn(gcode.slice(0, MOST_GCODE)) : [],
  }
}

/** What a macro's template asks for, each once, with the first default that is said. */
function paramsIn(gcode: string): Macro['params'] {
  const params = new Map<string, string | null>()
  for (const [, name = '', said] of gcode.matchAll(PARAM)) {
    const key = name.toUpperCase()
    const plain = said?.trim().replace(/^(["'])(.*)\1$/, '$2')
    const isPlain = plain !== undefined && /^[\w.+ -]+$/.test(plain) && !/^[a-z_]+\.[a-z_]/i.test(plain)
    params.set(key, params.get(key) ?? (isPlain ? plain : null))
  }
  return [...params].slice(0, MOST_PARAMS).map(([name, first]) => ({ name, default: first }))
}

/** The line that runs a macro. Values come checked (contract); what has a space or `=` in it stands in quotes. */
export function lineOf(name: string, params: Readonly<Record<string, string>>): string {
  const said = Object.entries(params).map(([key, value]) => {
    const isPlain = /^[^\s=]+$/.test(value)
    return `${key.toUpperCase()}=${isPlain ? value : `"${value}"`}`
  })
  return [name.toUpperCase(), ...said].join(' ')
}

/** Why no macro may be run now, whatever it does: a print is under way, or about to be. A pause is for such things. */
export function notNow(reading: StatusReading): MacroReason | null {
  if (reading.disconnected) return 'off'
  if (reading.printsNothing || reading.standsPaused) return null
  return reading.printing ? 'printing' : 'changing'
}
