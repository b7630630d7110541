import { say, useTranslation } from './translation.ts'

/**
 * The error catalogue of docs/rules/pages.md: each situation and the text that it is told with (`namespace:key`).
 * A text lives with the feature that causes it; this table and its test keep the words.
 */
export const catalogue = {
  printerFetchFailed: 'printers:control.failed',
  printerDeleted: 'printers:deleted.title',
  printerNotFound: 'catalogue:notFound',
  printerNotFoundOrUnavailable: 'catalogue:notFoundOrUnavailable',
  hostPrinterNotFound: 'catalogue:hostNotFound',
  patchWithoutData: 'settings:cannotUpdate',
  nameNotSaved: 'catalogue:nameNotSaved',
  notSaved: 'catalogue:notSaved',
  noReply: 'widgets:call.timeout',
  socketNotOpen: 'widgets:call.offline',
  notResponding: 'printers:notResponding.text',
  popUpBlocked: 'linking:handshake.blocked',
  handshakeFailed: 'linking:handshake.failed',
  handshakeChecklist: 'catalogue:handshakeChecklist',
  handshakePlugin: 'catalogue:handshakePlugin',
  handshakeNetwork: 'catalogue:handshakeNetwork',
  autoLinkFellBack: 'linking:handshake.fellBack',
  codeInvalid: 'linking:passcode.invalid',
  extrudeCold: 'toolhead:extrude.coldTitle',
  commandSent: 'widgets:call.sent',
  commandFailed: 'widgets:call.failed',
  noSerialPort: 'widgets:connect.none',
  unableToBrowse: 'catalogue:unableToBrowse',
  browseOff: 'catalogue:browseOff',
  browseNotConnected: 'catalogue:browseNotConnected',
  browseOutdated: 'catalogue:browseOutdated',
  notReady: 'catalogue:notReady',
  notReadyOff: 'catalogue:notReadyOff',
  notReadyNotConnected: 'catalogue:notReadyNotConnected',
  notReadyBusy: 'catalogue:notReadyBusy',
  fileMissing: 'gcode-files:file.missing',
  fileDeleted: 'print-page:file.deleted',
  folderExists: 'gcode-files:folderExists',
  moveFailed: 'gcode-files:move.failed',
  itemNotDeleted: 'gcode-files:delete.failedOne',
  itemsNotDeleted: 'gcode-files:delete.failed',
  error: 'catalogue:error',
  support: 'catalogue:support',
  close: 'common:close',
  slowLink: 'catalogue:slowLink',
  slowLinkText: 'catalogue:slowLinkText',
  buffering: 'catalogue:buffering',
  bufferingText: 'catalogue:bufferingText',
  copied: 'common:copied',
  copyFailed: 'common:copyFailed',
  serverError: 'common:problem.server',
  preferencesNotSaved: 'catalogue:preferencesNotSaved',
  slackTestFailed: 'catalogue:slackTestFailed',
  telegramTestFailed: 'catalogue:telegramTestFailed',
  statsFailed: 'stats:failed',
  sharingIsPro: 'catalogue:sharingIsPro',
  printsFailed: 'history:failed',
  dateNeeded: 'history:period.missing',
  cannotBeUndone: 'history:delete.text',
  noPrinters: 'first-layer:noPrinters',
  choosePrinter: 'first-layer:choose',
  nozzleOffline: 'first-layer:offline',
  nozzleTooOld: 'first-layer:tooOld',
  nozzleUnable: 'first-layer:unable',
} as const satisfies Record<string, `${string}:${string}`>

export type Situation = keyof typeof catalogue

/** The catalogue's words for a situation, in the reader's language. */
export function useMessages(): (situation: Situation, values?: Record<string, string>) => string {
  useTranslation()
  return (situation, values) => say(catalogue[situation], values)
}
