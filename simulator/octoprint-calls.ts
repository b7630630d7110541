/** The plugin attributes that browsers call through the OctoPrint agent (docs/wire/agents.md 7.2). */
import { fieldsOf } from '@vigil/contract/fields.ts'
import type { PrintFile } from './printer.ts'
import type { Host } from './flavour.ts'
import { hashOf } from './octoprint-status.ts'
import type { Json, PassthruCall, PassthruReply } from './types.ts'

type Answer = (host: Host, call: PassthruCall, terminal: { isOn: boolean }) => unknown

const PROFILE = {
  id: '_default',
  name: 'Default',
  model: 'Generic RepRap Printer',
  extruder: { count: 1, nozzleDiameter: 0.4, offsets: [[0, 0]], sharedNozzle: false },
  heatedBed: true,
  heatedChamber: false,
  volume: {
    width: 220,
    depth: 220,
    height: 250,
    formFactor: 'rectangular',
    origin: 'lowerleft',
    custom_box: false,
  },
}

const ANSWERS: Record<string, Answer> = {
  '_printer.jog': (host, { args }) => host.printer.jog(args[0] ?? {}),
  '_printer.home': (host, { args }) =>
    host.printer.home(Array.isArray(args[0]) ? args[0].map(String) : [String(args[0])]),
  '_printer.set_temperature': (host, { args }) =>
    host.printer.setTarget(args[0] === 'bed' ? 'bed' : 'extruder', Number(args[1])),
  '_printer.commands': (host, { args }, terminal) => {
    for (const line of [args[0]].flat().map(String)) runCommand(host, terminal, line)
    return null
  },
  '_printer.get_current_connection': (host) =>
    isOpen(host) ? ['Operational', '/dev/ttyUSB0', 115200, PROFILE] : ['Closed', null, null, null],
  '_printer.get_connection_options': (host) => ({
    ports: host.printer.isPluggedIn ? ['/dev/ttyUSB0', 'VIRTUAL'] : [],
    baudrates: [250000, 115200],
    portPreference: '/dev/ttyUSB0',
    baudratePreference: 115200,
    autoconnect: true,
  }),
  '_printer.connect': (host) => host.printer.setPower(true),
  '_printer.disconnect': (host) => host.printer.setPower(false),
  '_printer.select_file': (host, { args, kwargs }) => {
    const file = host.files.get(String([args[0]].flat()[0]))
    const wanted = fieldsOf(args[1] ?? kwargs)
    if (file && String(wanted.printAfterSelect) === 'true') host.printer.start(file)
    return null
  },
  '_printer.start_print': (host) => nothing(host.printer.file && host.printer.start(host.printer.file)),
  '_printer.pause_print': (host) => nothing(host.printer.pause()),
  '_printer.resume_print': (host) => nothing(host.printer.resume()),
  '_printer.cancel_print': (host) => nothing(host.printer.cancel()),
  '_file_manager.list_files': (host, { kwargs }) => ({ local: listFiles([...host.files.values()], kwargs) }),
  '_file_manager.remove_file': (host, { args }) => {
    if (!host.files.delete(String(args[1]))) throw new Error('No such file')
    return null
  },
  'gcode_hooks.toggle_terminal_feed': (_host, { args }, terminal) => {
    if (args[0] === 'on' || args[0] === 'off') terminal.isOn = args[0] === 'on'
    return terminal.isOn
  },
}

/** One call; an attribute that isn't there gets no reply at all. */
export function callOctoprint(host: Host, terminal: { isOn: boolean }, call: PassthruCall): PassthruReply {
  const answer = ANSWERS[`${call.target}.${call.func}`]
  return answer ? { ret: answer(host, call, terminal) ?? null } : null
}

/** OctoPrint's own functions return None. */
function nothing(_worked: unknown): null {
  return null
}

function isOpen(host: Host): boolean {
  return host.printer.state !== 'offline'
}

function runCommand(host: Host, terminal: { isOn: boolean }, line: string): void {
  const [word = '', ...rest] = line.trim().toUpperCase().split(/\s+/)
  const value = (letter: string): number => Number(rest.find((one) => one.startsWith(letter))?.slice(1)) || 0
  const { heaters } = host.printer
  if (word === 'M104' || word === 'M109') host.printer.setTarget('extruder', value('S'))
  if (word === 'M140' || word === 'M190') host.printer.setTarget('bed', value('S'))
  if (word === 'G28')
    host.printer.home(rest.length ? rest.map((axis) => axis.toLowerCase()) : ['x', 'y', 'z'])
  if (!terminal.isOn || !host.remote.viewing) return
  const answer =
    word === 'M105'
      ? `ok T:${heaters.extruder.actual.toFixed(1)} /${heaters.extruder.target} B:${heaters.bed.actual.toFixed(1)} /${heaters.bed.target}`
      : 'ok'
  for (const msg of [`Send: ${line}`, `Recv: ${answer}`])
    host.post({ passthru: { terminal_feed: { msg, _ts: host.now() } } })
}

function listFiles(files: PrintFile[], kwargs: Json): Json {
  const wanted = typeof kwargs.filter === 'string' ? new RegExp(kwargs.filter, 'i') : null
  const folder = typeof kwargs.path === 'string' ? kwargs.path.replace(/\/$/, '') : ''
  const prefix = folder ? `${folder}/` : ''
  const tree: Json = {}
  for (const file of files) {
    if (!file.path.startsWith(prefix) || (wanted && !wanted.test(file.name))) continue
    const [head = '', tail] = file.path.slice(prefix.length).split('/', 2)
    if (tail === undefined) tree[file.name] = entry(file)
    else
      tree[head] ??= {
        name: head,
        display: head,
        path: prefix + head,
        type: 'folder',
        typePath: ['folder'],
        children: wanted || kwargs.recursive ? listFiles(files, { ...kwargs, path: prefix + head }) : {},
      }
  }
  return tree
}

function entry(file: PrintFile): Json {
  return {
    name: file.name,
    display: file.name,
    path: file.path,
    type: 'machinecode',
    typePath: ['machinecode', 'gcode'],
    size: Buffer.byteLength(file.text),
    date: Math.trunc(file.modified),
    hash: hashOf(file),
  }
}
