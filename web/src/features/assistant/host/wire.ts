import { JSON_ACTIONS } from '@vigil/contract/assistant/bridge.ts'
import { type Fields, fieldsOf } from '@vigil/contract/fields.ts'
import type { Bench, BenchState, Kind } from './bench.ts'
import { pictures } from './draw.ts'
import { openLogin } from './login.ts'
import { exportFile, slicePlate } from './slice.ts'
import { arrangeAll, boxOf, featuresOf, orientAll } from './solid.ts'

/** What a slicer of now offers, and one of old. */
const ACTIONS = [
  ...JSON_ACTIONS,
  'show_login',
  'start_slicer_all',
  'export_gcode',
  'auto_orient_all_objects',
  'arrange_all_objects',
  'plater_undo',
  'switch_to_preview',
  'refresh_oauth_token',
  'set_btn_notification_badges',
]
const OLD_ACTIONS = [
  ...ACTIONS.filter((name) => name !== 'auto_orient_all_objects' && name !== 'switch_to_preview'),
  'auto_orient_object',
]
const ANSWERS = new Set<string>(JSON_ACTIONS)
const TOKEN_KEY = 'simulated-slicer.access_token'

/** The slicer's end of the line to the chat, as the real one keeps to it. */
export class Wire {
  readonly #bench: Bench
  #frame: Window | null = null
  #hasSpoken = false
  #wizard: (() => void) | null = null

  constructor(bench: Bench) {
    this.#bench = bench
  }

  /** A page begins in the frame: it finds us around it before any other script of it has run. */
  connect(frame: Window): void {
    this.#frame = frame
    this.#hasSpoken = false
    window.slicerAround = { postMessage: (message) => this.#hear(message) }
  }

  /** The page is loaded: it is told what it may ask for, if it is ours and has spoken by now. */
  loaded(): void {
    const frame = this.#frame
    if (!frame || !this.#hasSpoken || !frame.location.href.includes('/jusprin')) return
    const { isOld } = this.#bench.state()
    frame.updateJusPrinEmbeddedChatState?.('supportedActions', isOld ? OLD_ACTIONS : ACTIONS)
    this.#handToken()
  }

  /** Something happens in the slicer. */
  readonly tell = (type: string, data: object): void => {
    this.#bench.note(`← ${type} ${JSON.stringify(data).slice(0, 200)}`)
    this.#frame?.callJusPrinEmbeddedChatMethod?.('processAgentEvent', { type, data })
  }

  tellModels(): void {
    this.tell('modelObjectsChanged', projectOf(this.#bench.state(), true))
  }

  orient(): void {
    const hasModels = this.#bench.state().models.length > 0
    if (hasModels) orientAll(this.#bench)
    this.tell('autoOrient', {
      status: hasModels ? 'completed' : 'canceled',
      currentProject: projectOf(this.#bench.state(), true),
    })
  }

  /** The person has closed the wizard. */
  endWizard(): void {
    this.#bench.set({ wizard: null })
    this.#wizard?.()
    this.#wizard = null
  }

  #hear(message: unknown): void {
    this.#hasSpoken = true
    const { action, payload, refId } = fieldsOf(message)
    const name = String(action)
    this.#bench.note(`→ ${name} ${JSON.stringify(payload ?? null).slice(0, 200)}`)
    // What answers nothing answers nothing, also when it is asked.
    if (!ANSWERS.has(name)) {
      this.#do(name, fieldsOf(payload))
      return
    }
    this.#answer(name, payload).then(
      (retVal) => this.#reply(refId, { retVal }),
      (error: unknown) => this.#reply(refId, { error: error instanceof Error ? error.message : 'failed' }),
    )
  }

  #reply(refId: unknown, answer: object): void {
    if (typeof refId === 'string')
      this.#frame?.callJusPrinEmbeddedChatMethod?.('setAgentActionRetVal', { refId, ...answer })
  }

  #do(name: string, payload: Fields): void {
    const bench = this.#bench
    if (name === 'show_login') this.#login()
    else if (name === 'start_slicer_all') void slicePlate(bench, this.tell, payload['chat_id'])
    else if (name === 'export_gcode') void exportFile(bench)
    else if (name === 'auto_orient_all_objects' || name === 'auto_orient_object') this.orient()
    else if (name === 'arrange_all_objects') arrangeAll(bench)
    else if (name === 'plater_undo') bench.undo()
    else if (name === 'switch_to_preview') bench.set({ isPreview: true })
    else if (name === 'refresh_oauth_token') this.#handToken()
    else if (name === 'set_btn_notification_badges') {
      const count = (key: string) => Number(payload[key]) || 0
      bench.set({
        badges: { red: count('red_badge'), orange: count('orange_badge'), green: count('green_badge') },
      })
    }
  }

  async #answer(name: string, payload: unknown): Promise<unknown> {
    const bench = this.#bench
    const fields = fieldsOf(payload)
    if (name === 'get_presets') return presetsOf(bench.state())
    if (name === 'get_edited_presets') return editedOf(bench)
    if (name === 'get_current_project')
      return projectOf(bench.state(), fields['with_model_object_features'] === true)
    if (name === 'select_preset') bench.select(String(fields['type']), String(fields['name']))
    else if (name === 'apply_config') this.#apply(payload)
    else if (name === 'render_plate') return pictures(bench, fields['views'])
    else if (name === 'change_chatpanel_display') return this.#display(fields)
    else if (name === 'add_printers' || name === 'add_filaments') {
      bench.set({ wizard: name })
      await new Promise<void>((resolve) => (this.#wizard = resolve))
    }
    return {}
  }

  #apply(lines: unknown): void {
    for (const line of Array.isArray(lines) ? lines : []) {
      const { type, key, value } = fieldsOf(line)
      const isLine =
        (type === 'print' || type === 'filament') && typeof key === 'string' && typeof value === 'string'
      if (isLine && this.#bench.has(type, key)) this.#bench.override(type, key, value)
      else this.tell('nativeErrorOccurred', { errorMessage: `apply_config: ${String(key)}` })
    }
  }

  #display({ view_mode, visible }: Fields): object {
    const { panel } = this.#bench.state()
    const mode = view_mode === 'large' || view_mode === 'small' ? view_mode : panel.mode
    const next = { mode, isVisible: typeof visible === 'boolean' ? visible : panel.isVisible }
    this.#bench.set({ panel: next })
    return { view_mode: next.mode, visible: next.isVisible }
  }

  #handToken(): void {
    const token = sessionStorage.getItem(TOKEN_KEY)
    if (token) this.#frame?.setJusPrinEmbeddedChatOauthAccessToken?.(token)
  }

  #login(): void {
    const isOpen = openLogin((token) => {
      sessionStorage.setItem(TOKEN_KEY, token)
      this.#handToken()
    })
    this.#bench.set({ isBlocked: !isOpen })
  }
}

function presetsOf({ printers, filaments, processes, selected }: BenchState): object {
  const all = (presets: BenchState['printers' | 'filaments' | 'processes'], chosen: string) =>
    presets.map(({ name, config, of }) => ({
      name,
      config,
      is_default: of === null,
      is_selected: name === chosen,
    }))
  return {
    printerPresets: all(printers, selected.printer),
    filamentPresets: all(filaments, selected.filament),
    printProcessPresets: all(processes, selected.print),
  }
}

function editedOf(bench: Bench): object {
  const { overrides } = bench.state()
  const edited = (kind: Kind) => {
    const preset = bench.preset(kind)
    return {
      name: preset?.name ?? '',
      is_default: preset?.of === null,
      is_selected: true,
      config: { ...preset?.config, ...overrides[kind] },
      dirty_options: Object.keys(overrides[kind]),
    }
  }
  return {
    editedPrinterPreset: edited('printer'),
    editedFilamentPreset: edited('filament'),
    editedPrintProcessPreset: edited('print'),
  }
}

function projectOf({ models }: BenchState, withFeatures: boolean): object {
  const objects = models.map((model) => ({
    id: model.key,
    name: model.name,
    extruder_id: 1,
    ...(withFeatures ? { features: featuresOf(model) } : {}),
  }))
  const hash_code = models
    .map(({ key, translate, rotate }) => [key, ...translate, ...rotate].join())
    .join(';')
  return {
    hash_code,
    plates: [{ name: 'Plate 1', index: 0, bounding_box: boxOf(models), model_objects: objects }],
  }
}
