/** What the commands of a part of a file say: the first temperatures, the lowest and highest Z. */
export interface Commands {
  readonly nozzle: number | null
  readonly bed: number | null
  readonly chamber: number | null
  readonly leastZ: number | null
  readonly mostZ: number | null
}

const LONGEST_LINE = 256
const TEMPERATURES: ReadonlyMap<string, 'nozzle' | 'bed' | 'chamber'> = new Map([
  ['M104', 'nozzle'],
  ['M109', 'nozzle'],
  ['M140', 'bed'],
  ['M190', 'bed'],
  ['M141', 'chamber'],
  ['M191', 'chamber'],
])

/** Reads commands line by line; longer lines than any printer takes are passed over. */
export function readCommands(text: string): Commands {
  const seen: Record<'nozzle' | 'bed' | 'chamber' | 'leastZ' | 'mostZ', number | null> = {
    nozzle: null,
    bed: null,
    chamber: null,
    leastZ: null,
    mostZ: null,
  }
  for (const line of commandsOf(text)) {
    const [command = ''] = line.split(' ', 1)
    const kind = TEMPERATURES.get(command)
    if (kind) seen[kind] ??= above(argument(line, 'S'))
    else if (command === 'G0' || command === 'G1') {
      const z = argument(line, 'Z')
      if (z === null) continue
      seen.leastZ = Math.min(seen.leastZ ?? z, z)
      seen.mostZ = Math.max(seen.mostZ ?? z, z)
    }
  }
  return seen
}

const above = (value: number | null) => (value !== null && value > 0 ? value : null)

function argument(line: string, letter: 'S' | 'Z'): number | null {
  const at = line.indexOf(` ${letter}`)
  if (at === -1) return null
  const value = Number.parseFloat(line.slice(at + 2, at + 20))
  return Number.isFinite(value) ? value : null
}

/** Lines that set a temperature or move with a Z; cheap to pass over the others. */
function* commandsOf(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    const end = text.indexOf('\n', start)
    const stop = end === -1 ? text.length : end
    const letter = text[start]
    if ((letter === 'M' || letter === 'G') && stop - start <= LONGEST_LINE) {
      const [line = ''] = text.slice(start, stop).split(';', 1)
      yield line.trimEnd()
    }
    start = stop + 1
  }
}
