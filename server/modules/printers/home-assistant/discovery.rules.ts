import { KINDS } from '../../tell/notifications/index.ts'
import { STATES, type Told } from './state.rules.ts'

/** What Home Assistant is told once, so that a printer appears there by itself (docs/wire/tell.md 9). */
export interface Shown {
  /** Nobody else's on this broker: `vigil_1f2e3d4c5b_17`. */
  readonly id: string
  readonly name: string
  readonly agent: string | null
  readonly version: string
  /** Its page; null while nobody knows where this server is found. */
  readonly page: string | null
  /** By what it is reachable. */
  readonly status: string
  topic(what: string): string
  say(key: string): string
}

/** What can be pressed: what undoes a print is not among it. */
export const BUTTONS = ['pause', 'resume', 'not_a_failure'] as const
export type Pressed = (typeof BUTTONS)[number]

const ICONS: Readonly<Record<Pressed, string>> = {
  pause: 'mdi:pause',
  resume: 'mdi:play',
  not_a_failure: 'mdi:thumb-up-outline',
}

/** The description of a printer as a device with all its parts, in one message. */
export function discoveryOf(shown: Shown, { temperatures }: Pick<Told, 'temperatures'>): object {
  const { id, topic, say } = shown
  const of = (part: string, more: object) => ({ unique_id: `${id}_${part}`, name: say(part), ...more })
  const read = (field: string) => ({
    state_topic: topic('state'),
    value_template: `{{ value_json.${field} }}`,
  })
  const sensor = (part: string, field: string, more: object = {}) =>
    of(part, { platform: 'sensor', ...read(field), ...more })
  const seconds = { device_class: 'duration', unit_of_measurement: 's' }
  const parts: Record<string, object> = {
    state: sensor('state', 'state', { device_class: 'enum', options: STATES, icon: 'mdi:printer-3d' }),
    file: sensor('file', 'file', { icon: 'mdi:file-outline' }),
    progress: sensor('progress', 'progress', { unit_of_measurement: '%', state_class: 'measurement' }),
    elapsed: sensor('elapsed', 'elapsed', seconds),
    left: sensor('left', 'left', seconds),
    watching: of('watching', { platform: 'binary_sensor', ...read('watching'), icon: 'mdi:eye' }),
    not_watching: sensor('not_watching', 'not_watching', { entity_category: 'diagnostic' }),
    failure: of('failure', { platform: 'binary_sensor', ...read('failure'), device_class: 'problem' }),
    failure_level: sensor('failure_level', 'failure_level', {
      unit_of_measurement: '%',
      state_class: 'measurement',
    }),
    camera: of('camera', { platform: 'camera', topic: topic('picture') }),
    alert: of('alert', { platform: 'camera', topic: topic('alert') }),
    event: of('event', {
      platform: 'event',
      state_topic: topic('event'),
      event_types: Object.keys(KINDS).filter((kind) => kind !== 'Test'),
    }),
  }
  for (const button of BUTTONS)
    parts[button] = of(button, { platform: 'button', icon: ICONS[button], ...pressed(topic, button) })
  for (const slug of Object.keys(temperatures))
    parts[`heat_${slug}`] = {
      ...of(`heat_${slug}`, { platform: 'sensor', ...read(`temperatures.${slug}.actual`) }),
      name: `${say('temperature')} ${slug}`,
      device_class: 'temperature',
      unit_of_measurement: '°C',
      state_class: 'measurement',
    }
  return {
    device: deviceOf(shown),
    origin: { name: 'Vigil', sw_version: shown.version },
    availability_topic: shown.status,
    components: parts,
  }
}

const pressed = (topic: Shown['topic'], button: string) => ({
  command_topic: topic('command'),
  payload_press: button,
  retain: false,
})

const deviceOf = ({ id, name, agent, page }: Shown) => ({
  identifiers: [id],
  name,
  manufacturer: 'Vigil',
  ...(agent === null ? {} : { model: agent }),
  ...(page === null ? {} : { configuration_url: page }),
})
