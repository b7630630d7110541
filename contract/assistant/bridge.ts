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

/** One line of `apply_config`. */
export interface ConfigLine {
  readonly type: 'print' | 'filament'
  readonly key: string
  readonly value: string
}
