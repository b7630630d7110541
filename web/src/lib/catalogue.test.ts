import { describe, expect, it } from 'vitest'
import { catalogue, type Situation } from './catalogue.ts'
import { texts as en } from './texts.en.ts'
import { texts as zh } from './texts.zh.ts'

/** Quoted in docs/rules/pages.md 3; docs/rules/pages.md and docs/wire/rest.md 5.3; with `…`, only its beginning is. */
const QUOTED: Partial<Record<Situation, string>> = {
  printerFetchFailed: 'Failed to fetch printer information',
  printerDeleted: 'Deleted',
  printerNotFound: 'Printer not found',
  printerNotFoundOrUnavailable: 'Printer not found or unavailable',
  hostPrinterNotFound: 'Host printer for this gcode not found',
  patchWithoutData: 'Can not update printer settings.',
  nameNotSaved: 'Failed to update printer name',
  notSaved: 'Failed to update printer',
  noReply: 'Failed to contact printer. Is it powered on and connected to Internet?',
  socketNotOpen: 'Message not passed through. No suitable WebSocket.',
  notResponding:
    "The printer doesn't seem to be responding. Is it powered on and connected to the Internet? Please report the problem…",
  popUpBlocked: 'Handshake failed because the pop-up was blcoked.',
  handshakeFailed: 'Handshake failed!',
  autoLinkFellBack: 'Something went wrong. Switched to using 6-digit code to link OctoPrint.',
  codeInvalid: 'Invalid code. Is it expired?',
  extrudeCold: 'Unable to extrude / retract',
  commandSent: 'Command successfully sent!',
  noSerialPort: 'Uh-Oh. No printer is found on the serial port.',
  unableToBrowse: 'Unable to browse files',
  fileMissing: "This G-Code file doesn't exists",
  fileDeleted: 'This file is deleted and unavailable for print',
  folderExists: 'Folder with this name already exists',
  moveFailed: 'Failed to move item(s)',
  itemNotDeleted: 'Failed to delete item',
  itemsNotDeleted: 'Failed to delete files and folders',
  error: 'Error',
  support: 'If this error persists, seek help on the support forums.',
  close: 'Close',
  copied: 'Copied!',
  copyFailed: 'Failed!',
  serverError: 'Server error',
  statsFailed: 'Failed to fetch statistics',
  sharingIsPro: 'Printer feed sharing is a Pro feature',
  dateNeeded: 'At least one date is needed',
  cannotBeUndone: 'This action can not be undone.',
  noPrinters: 'No printers found!',
  choosePrinter: 'Please select a printer',
  nozzleOffline: 'Printer is offline!',
  nozzleTooOld:
    'The plugin version is too old to use this function. Please update it to the latest version to test camera!',
  nozzleUnable: 'Unable to connect to your nozzle camera using the URL you entered!',
}

function look(texts: object, reference: string): unknown {
  const [namespace, key] = reference.split(':') as [string, string]
  return [namespace, ...key.split('.')].reduce<unknown>(
    (at, part) => (at && typeof at === 'object' ? (at as Record<string, unknown>)[part] : undefined),
    texts,
  )
}

describe('the error catalogue', () => {
  for (const [situation, reference] of Object.entries(catalogue))
    it(`has words for ${situation} in both languages`, () => {
      const english = look(en, reference)
      const chinese = look(zh, reference)
      expect(english, reference).toEqual(expect.any(String))
      expect(chinese, reference).toEqual(expect.stringMatching(/[\u4e00-\u9fff]/))
      const quoted = QUOTED[situation as Situation]
      if (quoted?.endsWith('…')) expect(english).toContain(quoted.slice(0, -1))
      else if (quoted) expect(english).toBe(quoted)
    })
})
