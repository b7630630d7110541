import { type Fields, fieldsOf } from '../fields.ts'
/**
 * The one reader of an agent's status (docs/wire/agents.md 5). The agent may say anything, so nothing is taken for granted;
 * nothing is read before it is asked for, as statuses come thousands of times a second.
 */
const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null
/** One heater or sensor as both agents report it, in degrees Celsius; a sensor has no target. */
export interface HeaterReading {
  readonly name: string
  readonly actual: number
  readonly target: number | null
  readonly offset: number
}

/** What is read of a status. Times in seconds, lengths in millimetres, completion in percent; null: not said. */
export class StatusReading {
  readonly #raw: Fields
  #temperatures: readonly HeaterReading[] | null = null

  constructor(raw: Fields) {
    this.#raw = raw
  }

  /** The agent's word for what the printer does; '' when it has none. Shown, never decided by. */
  get text(): string {
    return text(this.#state['text']) ?? ''
  }

  get error(): string | null {
    return text(this.#state['error'])
  }

  get printing(): boolean {
    return this.#flag('printing')
  }

  /** It stands still in a pause, by its flag. */
  get paused(): boolean {
    return this.#flag('paused')
  }

  /** It stands still in a pause, by its flag or its agent's word. */
  get standsPaused(): boolean {
    return this.paused || this.#state['text'] === 'Paused'
  }

  /** It is about to pause: OctoPrint calls it printing meanwhile. */
  get pausing(): boolean {
    return this.#flag('pausing') || this.#state['text'] === 'Pausing'
  }

  get operational(): boolean {
    return this.#flag('operational')
  }

  get ready(): boolean {
    return this.#flag('ready')
  }

  /** The agent is there, the printer is not connected. */
  get disconnected(): boolean {
    return this.#flag('closedOrError')
  }

  /** The printer is idle, or not there: no print runs on it. */
  get printsNothing(): boolean {
    return this.disconnected || (this.operational && this.ready && !this.printing && !this.standsPaused)
  }

  get needsOwner(): boolean {
    return this.#raw['user_interaction_required'] === true
  }

  get completion(): number | null {
    return this.number(this.#progress['completion'])
  }

  get elapsedS(): number | null {
    return this.number(this.#progress['printTime'])
  }

  get leftS(): number | null {
    return this.number(this.#progress['printTimeLeft'])
  }

  get filamentMm(): number | null {
    return this.number(this.#progress['filamentUsed'])
  }

  /** What was used so far, whatever the agent calls so. */
  get filamentSoFarMm(): number | null {
    const ratio = this.completion === null ? null : this.completion / 100
    return filamentSoFar({ filamentUsed: this.filamentMm, planned: this.plannedFilamentMm }, ratio)
  }

  /** Whatever has an actual temperature, by the agent's names. */
  get temperatures(): readonly HeaterReading[] {
    this.#temperatures ??= this.#readTemperatures()
    return this.#temperatures
  }

  get z(): number | null {
    return this.number(this.#raw['currentZ'])
  }

  get maxZ(): number | null {
    return this.number(fieldsOf(fieldsOf(this.#metadata['analysis'])['printingArea'])['maxZ'])
  }

  /** The number of the layer, despite its name on the wire. */
  get layer(): number | null {
    return this.number(this.#raw['currentLayerHeight'])
  }

  get layers(): number | null {
    return this.number(fieldsOf(this.#metadata['obico'])['totalLayerCount'])
  }

  /** What the printer shows on its display. */
  get message(): string | null {
    return text(fieldsOf(this.#raw['display_status'])['message'])
  }

  /** The file that is loaded, as the agent names it. */
  get file(): Readonly<Record<string, unknown>> {
    return fieldsOf(this.#job['file'])
  }

  /** OctoPrint's analysis of the file, summed over tools; null when there is none. */
  get plannedFilamentMm(): number | null {
    let total = 0
    for (const tool of Object.values(fieldsOf(this.#job['filament'])))
      total += this.number(fieldsOf(tool)['length']) ?? 0
    return total > 0 ? total : null
  }

  get #state(): Fields {
    return fieldsOf(this.#raw['state'])
  }

  get #progress(): Fields {
    return fieldsOf(this.#raw['progress'])
  }

  get #job(): Fields {
    return fieldsOf(this.#raw['job'])
  }

  get #metadata(): Fields {
    return fieldsOf(this.#raw['file_metadata'])
  }

  /** What counts as a number. */
  protected number(value: unknown): number | null {
    return typeof value === 'number' && Number.isFinite(value) ? value : null
  }

  #readTemperatures(): HeaterReading[] {
    const temperatures = fieldsOf(this.#raw['temperatures'])
    const heaters: HeaterReading[] = []
    for (const name of Object.keys(temperatures)) {
      const given = fieldsOf(temperatures[name])
      const actual = this.number(given['actual'])
      const target = this.number(given['target'])
      if (actual !== null) heaters.push({ name, actual, target, offset: this.number(given['offset']) ?? 0 })
    }
    return heaters
  }

  #flag(name: string): boolean {
    return fieldsOf(this.#state['flags'])[name] === true
  }
}

/** Reads a status; null where there is none: the printer is offline or has never reported. */
export function statusOf(raw: Fields | null): StatusReading | null {
  return raw && new StatusReading(raw)
}

/** OctoPrint may give the planned total as the amount used: scaled by completion (docs/rules/prints.md 2). */
export function filamentSoFar(
  { filamentUsed, planned }: { readonly filamentUsed: number | null; readonly planned: number | null },
  ratio: number | null,
): number | null {
  const isTotal =
    planned !== null &&
    planned > 0 &&
    (filamentUsed === null || Math.abs(filamentUsed - planned) <= planned * 0.001)
  if (!isTotal) return filamentUsed
  return ratio === null ? null : planned * Math.min(1, Math.max(0, ratio))
}
