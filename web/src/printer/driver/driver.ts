import type { PassthruCall } from '@vigil/contract/core/passthru.ts'

/** What is asked of an agent; the client adds the `ref`. */
export type Call = Omit<PassthruCall, 'ref'>

export type Axis = 'x' | 'y' | 'z'

export interface PowerDevice {
  device: string
  on: boolean
  /** Switching is refused by the printer as long as it prints. */
  lockedWhilePrinting: boolean
}

export interface ConnectionOptions {
  ports: string[]
  baudrates: number[]
  port: string | null
  baudrate: number | null
}

/** A file on the printer: its path there, and by what its agent tells that it is still the same. */
export interface LocalFile {
  /** Of its record here, where there is one. */
  id?: number
  url: string
  filename: string
  safe_filename: string
  agent_signature: string
}

/** How a printer is spoken to. Both agents' differences end here. */
export interface Driver {
  kind: 'octoprint' | 'klipper'
  /** Relative, in mm. */
  jog: (axis: Axis, mm: number) => Call
  home: (axes: Axis[]) => Call
  setTemperature: (heater: string, target: number) => Call
  /** Relative, in mm; negative retracts. `tool` only where there are several. */
  extrude: (mm: number, tool: number | null) => Call
  /** Whether the place of the filament survives an extrusion in the middle of a print. */
  extrudesWhilePaused: boolean
  /** 0 to 100 %. */
  fan: (percent: number) => Call
  speed: (percent: number) => Call
  flow: (percent: number) => Call
  /** Sets the nozzle off by so much more; null where nobody could read back how far it is off. */
  babyStep: {
    move: (mm: number) => Call
    offset: () => Call
    /** In mm; null when it was not told. */
    read: (ret: unknown) => number | null
  } | null
  power: {
    list: () => Call
    read: (ret: unknown) => PowerDevice[]
    set: (device: string, on: boolean) => Call
  } | null
  steppersOff: () => Call
  /** One line of the terminal, as it stands. */
  send: (line: string) => Call
  /** How a typed line is written before it is sent. */
  spell: (typed: string) => string
  /** The feed shows what was sent by itself. */
  feedEchoes: boolean
  feed: ((mode: 'on' | 'off' | 'get') => Call) | null
  connection: {
    options: () => Call
    read: (ret: unknown) => ConnectionOptions
    /** Null lets the agent find out. */
    connect: (port: string | null, baudrate: number | null) => Call
  } | null
  /** The cameras that the agent knows by name; null where it tells none. */
  still: {
    cameras: () => Call
    /** Where each of them gives its picture, as its own computer reaches it. */
    addresses: (ret: unknown) => { name: string; address: string }[]
  } | null
  /** How a single picture of a camera is asked for. */
  snapshot: {
    shoot: (address: string) => Call
    /** The picture as an address for an image; null when it is none. */
    picture: (ret: unknown) => string | null
  }
  /** What stands on the printer's own display; empty clears it. */
  display: (message: string) => Call
  /** Prints a file once more that lies on the printer, if it is still the one that `file` names. */
  reprint: {
    start: (file: LocalFile) => Call
    /** Why not, in the agent's words; null when it was started. */
    refusal: (ret: unknown) => string | null
  }
  /** What lies on the printer. Paths are those of the printer, without a slash at either end; the root is empty. */
  files: {
    list: (folder: string) => Call
    read: (ret: unknown, folder: string) => PrinterEntry[]
    /** Looks for part of a name in all folders; null where only what was listed can be looked through. */
    search: { ask: (part: string) => Call; read: (ret: unknown) => PrinterEntry[] } | null
    /** What its agent knows of one file beyond the list; null where the list tells all. */
    details: ((path: string) => Call) | null
    readDetails: (ret: unknown) => PrinterFileFacts
    /** Prints it, where nothing tells by what it is known again. */
    start: (path: string) => Call
  }
}

/** What is told of a file beside its name. Seconds, millimetres, degrees Celsius; null: not told. */
export interface PrinterFileFacts {
  estimated_time: number | null
  filament_total: number | null
  layer_height: number | null
  first_layer_height: number | null
  object_height: number | null
  first_layer_extr_temp: number | null
  first_layer_bed_temp: number | null
  filament_type: string | null
  filament_name: string | null
  slicer: string | null
  slicer_version: string | null
}

/** A folder or a file that lies on a printer. */
export interface PrinterEntry {
  kind: 'folder' | 'file'
  name: string
  path: string
  /** Bytes. */
  size: number | null
  /** In ms since 1970. */
  modifiedAt: number | null
  /** By what its agent knows that it is still the same. */
  signature: string | null
  facts: PrinterFileFacts
}
