import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { fieldsOf } from '@vigil/contract/fields.ts'
import { act } from '@testing-library/react'
import { vi } from 'vitest'
import { Bridge } from '../bridge/index.ts'

/** The script in the head of the page, as it stands there. */
const shim =
  /<script>([^]*?)<\/script>/.exec(
    readFileSync(join(import.meta.dirname, '../../../../embedded.html'), 'utf8'),
  )?.[1] ?? ''

/** A chat as the server keeps it, before anything was said. */
export const KEPT = {
  id: 5,
  messages: '[]',
  machine_name: null,
  filament_name: null,
  print_process_name: null,
  slicing_settings_json: null,
  g_code_file_id: null,
  user_feedback: null,
  user_feedback_text: null,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}

interface Message {
  readonly action: string
  readonly payload?: unknown
  readonly refId?: string
}

const preset = (name: string, config: object, more: object = {}) => ({
  name,
  config,
  is_default: false,
  is_selected: true,
  dirty_options: [],
  ...more,
})
export const FINE = preset('0.12 mm FINE', { layer_height: '0.12', wall_loops: '2' }, { is_selected: false })
const always = { is_default: true, is_selected: false }

/** What it answers. */
function usual() {
  const printer = preset('Ender-3 (0.4 mm nozzle)', { nozzle_diameter: ['0.4'] })
  const filament = preset('Generic PLA', { nozzle_temperature: ['215'], hot_plate_temp: ['60'] })
  const process = preset('0.20 mm NORMAL', { layer_height: '0.2', wall_loops: '2' })
  return {
    get_presets: {
      printerPresets: [preset('Default', {}, always), printer],
      filamentPresets: [preset('Default', {}, always), filament],
      printProcessPresets: [process, FINE],
    },
    get_edited_presets: {
      editedPrinterPreset: printer,
      editedFilamentPreset: filament,
      editedPrintProcessPreset: {
        ...process,
        config: { ...process.config, sparse_infill_density: '15%' },
        dirty_options: ['sparse_infill_density'],
      },
    },
    get_current_project: {
      hash_code: 'a',
      plates: [
        {
          name: 'Plate 1',
          index: 0,
          bounding_box: { min: { x: 90, y: 90, z: 0 }, max: { x: 130, y: 130, z: 40 } },
          model_objects: [{ id: '7', name: 'Cube.stl', extruder_id: 1, features: { overhang: 12 } }],
        },
      ],
    },
    select_preset: {},
    apply_config: {},
    render_plate: [{ base64: 'data:image/jpeg;base64,AA==' }],
    change_chatpanel_display: { view_mode: 'small', visible: true },
  }
}

const stubborn = new WeakSet<object>()

/** Does what it is told, so that it says so when it is asked; unless it was told what to say then. */
function take(answers: Record<string, unknown>, action: string, payload: unknown): void {
  const said = fieldsOf(answers['get_edited_presets'])
  const refused = fieldsOf(answers[action])['refused'] !== undefined
  if (refused || stubborn.has(answers)) return
  const { type, name } = fieldsOf(payload)
  const { printProcessPresets: all } = fieldsOf(answers['get_presets'])
  const known = (Array.isArray(all) ? all : []).map(fieldsOf).find((one) => one['name'] === name)
  if (action === 'select_preset' && type === 'print' && known)
    answers['get_edited_presets'] = { ...said, editedPrintProcessPreset: known }
  if (action !== 'apply_config' || !Array.isArray(payload)) return
  for (const line of payload.map(fieldsOf)) {
    const kind = line['type'] === 'print' ? 'editedPrintProcessPreset' : 'editedFilamentPreset'
    const edited = fieldsOf(fieldsOf(answers['get_edited_presets'])[kind])
    const config = { ...fieldsOf(edited['config']), [String(line['key'])]: line['value'] }
    const dirty = [edited['dirty_options'] ?? []].flat()
    answers['get_edited_presets'] = {
      ...fieldsOf(answers['get_edited_presets']),
      [kind]: { ...edited, config, dirty_options: [...dirty, line['key']] },
    }
  }
}

/** A slicer with one printer, one filament, two ways to print and a cube on the plate. */
export function aSlicer(over: Record<string, unknown> = {}) {
  runInThisContext(shim)
  const answers: Record<string, unknown> = { ...usual(), ...over }
  if ('get_edited_presets' in over) stubborn.add(answers)
  const said: Message[] = []
  const say = (name: string, value: unknown) => act(() => window.callJusPrinEmbeddedChatMethod?.(name, value))
  vi.stubGlobal('wx', {
    postMessage(message: Message) {
      said.push(message)
      const { action, refId, payload } = message
      if (refId === undefined || !(action in answers)) return
      queueMicrotask(() => {
        take(answers, action, payload)
        const answer = answers[action]
        const { refused } = fieldsOf(answer)
        say('setAgentActionRetVal', refused ? { refId, error: refused } : { refId, retVal: answer })
      })
    },
  })
  return {
    said,
    /** The actions that were said, in order. */
    actions: () => said.map(({ action }) => action),
    of: (action: string) => said.filter((message) => message.action === action),
    answers,
    signIn: () => act(() => window.setJusPrinEmbeddedChatOauthAccessToken?.('a-token')),
    offer: (...names: string[]) =>
      act(() => window.updateJusPrinEmbeddedChatState?.('supportedActions', names)),
    event: (type: string, data: object) => say('processAgentEvent', { type, data }),
    bridge: () => new Bridge(),
  }
}
