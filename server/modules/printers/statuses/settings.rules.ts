import { isDeepStrictEqual } from 'node:util'
import { storableJson, storableText } from '../../../lib/tolerant-json.ts'

type Fields = Record<string, unknown>

/** What is kept of an agent's settings, and who the agent is. */
export interface AgentSettings {
  readonly settings: Fields
  readonly agentName: string | null
  readonly agentVersion: string | null
}

/** The product's word in agent names, as the installed agents say it. */
const PRODUCT = 'obico'
const MAX_BYTES = 65_536
const MAX_WEBCAMS = 16

/** Settings that are kept as they come, whenever they are given. */
const PLAIN = [
  'data_channel_id',
  'platform_uname',
  'installed_plugins',
  'octoprint_version',
  'printer_metadata',
  'tsd_plugin_version',
]

/** A webcam of agents that knew only one (docs/wire/agents.md 9). */
const ONE_WEBCAM = {
  name: '',
  is_primary_camera: true,
  stream_mode: null,
  stream_id: null,
  flipV: false,
  flipH: false,
  rotation: 0,
  streamRatio: '16:9',
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fields = (value: unknown): Fields | null => (isFields(value) ? value : null)

/**
 * Merges what an agent sent into what is kept: absent and null leave the stored value, above all for webcams
 * (docs/wire/agents.md 6). Null when nothing changes, or when it is too large to be settings.
 */
export function mergeSettings(stored: AgentSettings, incoming: Fields): AgentSettings | null {
  const settings = { ...unheard(incoming), ...stored.settings, ...given(storableJson(incoming) as Fields) }
  const merged: AgentSettings = { settings, ...agentOf(stored, incoming) }
  if (isDeepStrictEqual(merged, stored) || JSON.stringify(settings).length > MAX_BYTES) return null
  return merged
}

function given(incoming: Fields): Fields {
  const kept: Fields = {}
  for (const name of PLAIN) if (incoming[name] != null) kept[name] = incoming[name]
  const webcams = webcamsOf(incoming)
  if (webcams !== null) kept['webcams'] = webcams
  const profiles = fields(incoming['temperature'])?.['profiles']
  if (Array.isArray(profiles)) kept['temp_profiles'] = profiles.filter(isFields)
  return kept
}

/** An agent that speaks of presets and has none: temperatures can be set, which older ones never say. */
function unheard(incoming: Fields): Fields {
  return fields(incoming['temperature'])?.['profiles'] === null ? { temp_profiles: [] } : {}
}

function webcamsOf(incoming: Fields): Fields[] | null {
  const many = incoming['webcams']
  if (Array.isArray(many))
    return many.flatMap((webcam): Fields[] => (isFields(webcam) ? [webcam] : [])).slice(0, MAX_WEBCAMS)
  const one = fields(incoming['webcam'])
  if (one === null || Object.keys(one).length === 0) return null
  const rotation = one['rotation'] ?? (one['rotate90'] === true ? 270 : 0)
  return [{ ...ONE_WEBCAM, ...one, rotation }]
}

/** Agents before `agent` existed are OctoPrint's, of an unknown version (docs/wire/agents.md 9). */
function agentOf(stored: AgentSettings, incoming: Fields): Pick<AgentSettings, 'agentName' | 'agentVersion'> {
  const agent = fields(incoming['agent'])
  const word = (value: unknown) =>
    typeof value === 'string' && value !== '' ? storableText(value, 64) : null
  const agentName = word(agent?.['name'])
  if (agentName !== null) return { agentName, agentVersion: word(agent?.['version']) }
  if (typeof incoming['tsd_plugin_version'] === 'string')
    return { agentName: `octoprint_${PRODUCT}`, agentVersion: null }
  return { agentName: stored.agentName, agentVersion: stored.agentVersion }
}
