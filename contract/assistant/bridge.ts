import { z } from 'zod'
import { editedPreset, plate, preset } from './presets.ts'

/**
 * What the page of the chat and the desktop slicer around it say to each other.
 * Page to slicer: `{action, payload?, refId?}`. Only actions in `JSON_ACTIONS` answer, and only when a `refId` (a text) came with them.
 */
export const JSON_ACTIONS = [
  'get_presets',
  'get_edited_presets',
  'get_current_project',
  'select_preset',
  'apply_config',
  'render_plate',
  'add_printers',
  'add_filaments',
  'change_chatpanel_display',
] as const
export type JsonAction = (typeof JSON_ACTIONS)[number]

export const VOID_ACTIONS = [
  'show_login',
  'start_slicer_all',
  'export_gcode',
  'auto_orient_all_objects',
  'auto_orient_object',
  'arrange_all_objects',
  'plater_undo',
  'switch_to_preview',
  'refresh_oauth_token',
  'set_btn_notification_badges',
  'show_pricing_plan',
] as const
export type VoidAction = (typeof VOID_ACTIONS)[number]

export const presetsSaid = z.object({
  printerPresets: z.array(preset).default([]),
  filamentPresets: z.array(preset).default([]),
  printProcessPresets: z.array(preset).default([]),
})
export type PresetsSaid = z.infer<typeof presetsSaid>

export const editedPresetsSaid = z.object({
  editedPrinterPreset: editedPreset,
  editedFilamentPreset: editedPreset,
  editedPrintProcessPreset: editedPreset,
})
export type EditedPresetsSaid = z.infer<typeof editedPresetsSaid>

export const projectSaid = z.looseObject({
  hash_code: z.string().optional(),
  plates: z.array(plate).default([]),
})
export type ProjectSaid = z.infer<typeof projectSaid>

/** What a preset is of, as `select_preset` and `apply_config` name it. */
export type PresetKind = 'print' | 'filament' | 'printer'
/** One line of `apply_config`. */
export interface ConfigLine {
  readonly type: 'print' | 'filament'
  readonly key: string
  readonly value: string
}

export const renderedSaid = z.array(z.object({ base64: z.string() }))
export const displaySaid = z.looseObject({
  view_mode: z.enum(['large', 'small']).optional(),
  visible: z.boolean().optional(),
})

/** What answers an action: `setAgentActionRetVal`. */
export const actionAnswer = z.object({
  refId: z.string(),
  retVal: z.unknown().optional(),
  error: z.unknown().optional(),
})

const level = z
  .enum(['regular', 'important', 'error', 'warning', 'hint', 'progress', 'unknown'])
  .catch('unknown')

/** What the slicer tells by itself: `processAgentEvent`. Kinds that are not here are left alone. */
export const agentEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('modelObjectsChanged'), data: projectSaid }),
  z.object({
    type: z.literal('autoOrient'),
    data: z.looseObject({ status: z.enum(['completed', 'canceled']), currentProject: projectSaid.nullish() }),
  }),
  z.object({
    type: z.literal('slicingProgress'),
    data: z.object({ percentage: z.number(), text: z.string().default('') }),
  }),
  z.object({
    type: z.literal('notificationPushed'),
    data: z.looseObject({ text: z.string(), type: z.unknown().optional(), level: level.optional() }),
  }),
  z.object({
    type: z.literal('nativeErrorOccurred'),
    data: z.looseObject({ errorMessage: z.string() }),
  }),
  z.object({
    type: z.literal('chatPanelFocus'),
    data: z.looseObject({ focusEventType: z.enum(['in_focus', 'out_of_focus']) }),
  }),
])
export type AgentEvent = z.infer<typeof agentEvent>
