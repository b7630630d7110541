import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { catalogue, type Situation } from '../../web/src/lib/catalogue.ts'
import { wordsIn } from '../looks.ts'

const ERRORS = 'core/errors.test.ts'
/** What one form does is a test of that part (CONTRIBUTING.md). */
const SETTINGS = '../web/src/features/printers/settings/settings.test.tsx'
const CHANNELS = '../web/src/features/tell/notifications/notifications.test.tsx'
const NOZZLE = '../web/src/features/watch/first-layer/NozzleScreen.test.tsx'
const FILES = 'files/files.test.ts'
const FOLDERS = '../web/src/features/files/gcode-files/FoldersScreen.test.tsx'
const VIDEO = 'remote/video.test.ts'
const HISTORY = 'prints/history.test.ts'

const JOURNEYS = {
  printerFetchFailed: ERRORS,
  printerDeleted: 'people/settings.test.ts',
  printerNotFound: ERRORS,
  patchWithoutData: SETTINGS,
  nameNotSaved: SETTINGS,
  notSaved: SETTINGS,
  noReply: ERRORS,
  socketNotOpen: ERRORS,
  notResponding: 'remote/spread.test.ts',
  popUpBlocked: 'printers/linking.test.ts',
  handshakeFailed: ERRORS,
  handshakeChecklist: ERRORS,
  handshakePlugin: ERRORS,
  handshakeNetwork: ERRORS,
  autoLinkFellBack: ERRORS,
  codeInvalid: 'printers/linking.test.ts',
  extrudeCold: 'printers/toolhead.test.ts',
  commandSent: ERRORS,
  commandFailed: ERRORS,
  noSerialPort: ERRORS,
  notReady: ERRORS,
  notReadyBusy: ERRORS,
  error: ERRORS,
  support: SETTINGS,
  close: ERRORS,
  copied: ERRORS,
  copyFailed: ERRORS,
  serverError: ERRORS,
  sharingIsPro: '../web/src/features/remote/sharing/ShareDialog.test.tsx',
  printsFailed: '../web/src/features/prints/history/History.test.tsx',
  dateNeeded: HISTORY,
  cannotBeUndone: HISTORY,
  preferencesNotSaved: CHANNELS,
  slackTestFailed: CHANNELS,
  telegramTestFailed: CHANNELS,
  statsFailed: 'prints/stats.test.ts',
  noPrinters: NOZZLE,
  choosePrinter: NOZZLE,
  nozzleOffline: NOZZLE,
  nozzleTooOld: NOZZLE,
  nozzleUnable: NOZZLE,
  fileMissing: FOLDERS,
  hostPrinterNotFound: FILES,
  fileDeleted: FOLDERS,
  folderExists: FILES,
  moveFailed: FILES,
  itemNotDeleted: FILES,
  itemsNotDeleted: FILES,
  slowLink: VIDEO,
  slowLinkText: VIDEO,
  buffering: VIDEO,
  bufferingText: VIDEO,
} as const satisfies Partial<Record<Situation, string>>

const OF_LATER_PAGES = {
  printerNotFoundOrUnavailable: 'files',
  unableToBrowse: 'files',
  browseOff: 'files',
  browseNotConnected: 'files',
  browseOutdated: 'files',
  notReadyOff: 'files',
  notReadyNotConnected: 'files',
} as const satisfies Record<Exclude<Situation, keyof typeof JOURNEYS>, 'files' | 'tunnel'>

test('every error of the catalogue has its journey or its part, or waits for the page that it belongs to', () => {
  const known = [...Object.keys(JOURNEYS), ...Object.keys(OF_LATER_PAGES)]
  expect(known.toSorted()).toEqual(Object.keys(catalogue).toSorted())
  for (const [situation, file] of Object.entries(JOURNEYS) as [Situation, string][]) {
    const source = readFileSync(join(import.meta.dirname, '..', file), 'utf8')
    const shown = [
      `told('${situation}'`,
      `catalogue.${situation})`,
      `'${catalogue[situation]}'`,
      wordsIn('en')(catalogue[situation]),
    ]
    expect(
      shown.some((words) => source.includes(words)),
      `${file} shows ${situation}`,
    ).toBe(true)
  }
})
