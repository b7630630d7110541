/** Settings as an agent sent them and the agents module keeps them (docs/wire/agents.md 6). */
type Stored = Record<string, unknown>

const LEGACY = { webcam_flipV: false, webcam_flipH: false, webcam_rotation: 0, webcam_streamRatio: '16:9' }

const isObject = (value: unknown): value is Stored =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lists and objects are shown as JSON text, as clients know them (docs/wire/rest.md 5.2). */
const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * The `settings` of a Printer: never null, with the flat copies of the first webcam that old clients read
 * (docs/wire/rest.md 5.2).
 */
export function presentSettings(
  stored: unknown,
  agent: { agentName: string | null; agentVersion: string | null },
): Record<string, unknown> {
  const settings = isObject(stored) ? stored : {}
  const webcams = Array.isArray(settings['webcams']) ? settings['webcams'].filter(isObject) : null
  const first = webcams?.[0]
  const rotation = Number(first?.['rotation'])
  const streamRatio =
    typeof first?.['streamRatio'] === 'string' ? first['streamRatio'] : LEGACY.webcam_streamRatio
  const profiles =
    (isObject(settings['temperature']) ? settings['temperature']['profiles'] : null) ??
    settings['temp_profiles']
  return {
    ...(webcams ? { webcams } : {}),
    data_channel_id: dataChannelOf(settings, webcams ?? []),
    // Absent as long as the agent never spoke of them: then it cannot set temperatures (docs/rules/pages.md 3).
    ...(Array.isArray(profiles) ? { temp_profiles: profiles.filter(isObject) } : {}),
    ...textual(settings),
    webcam_flipV: first?.['flipV'] === true,
    webcam_flipH: first?.['flipH'] === true,
    webcam_rotation: [90, 180, 270].includes(rotation) ? rotation : LEGACY.webcam_rotation,
    webcam_rotate90: rotation === 270,
    webcam_streamRatio: streamRatio,
    ratio169: streamRatio === '16:9',
    ...(agent.agentName !== null && agent.agentVersion !== null
      ? { agent_name: agent.agentName, agent_version: agent.agentVersion }
      : {}),
  }
}

/** Given, else the first webcam with a data channel, else a primary h264_transcode webcam (docs/wire/rest.md 5.2). */
function dataChannelOf(settings: Stored, webcams: Stored[]): string {
  const given = settings['data_channel_id']
  if (given !== undefined && given !== null && given !== '') return String(given)
  const webcam =
    webcams.find((one) => one['data_channel_available'] === true) ??
    webcams.find((one) => one['is_primary_camera'] === true && one['stream_mode'] === 'h264_transcode')
  return webcam?.['stream_id'] === undefined ? '' : String(webcam['stream_id'])
}

/** What clients read without looking whether it is there, and what only some agents say. */
const TEXTS: Readonly<Record<string, string | null>> = {
  printer_metadata: '{}',
  tsd_plugin_version: '',
  octoprint_version: '',
  platform_uname: null,
  installed_plugins: null,
}

function textual(settings: Stored): Record<string, string> {
  return Object.fromEntries(
    Object.entries(TEXTS).flatMap(([name, usual]) => {
      const value = settings[name] ?? usual
      return value === null ? [] : [[name, asText(value)]]
    }),
  )
}
