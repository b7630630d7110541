import { describe, expect, it } from 'vitest'
import { aPrinter, NOW, status } from '../a-printer.fixture.ts'
import { readStatus } from '../status.ts'
import { asPrinterEvent, asPrinterFrame, mergePrinter } from './merge.ts'

describe('mergePrinter', () => {
  it('drops an older status but takes the rest', () => {
    const held = aPrinter({ status: status('Paused', { _ts: NOW / 1000 }) })
    const merged = mergePrinter(held, { name: 'B', status: status('Printing', { _ts: NOW / 1000 - 5 }) }, NOW)
    expect(merged.name).toBe('B')
    expect(readStatus(merged)?.text).toBe('Paused')
  })

  it('is not frozen by a status from the future', () => {
    const held = aPrinter({ status: status('Printing', { _ts: NOW / 1000 + 86_400 }) })
    const merged = mergePrinter(held, { status: status('Paused') }, NOW)
    expect(readStatus(merged)?.text).toBe('Paused')
  })

  it('goes offline when the status is gone', () => {
    expect(mergePrinter(aPrinter(), { status: null }, NOW).status).toBeNull()
  })

  it('tells printers from passthru answers and rubbish', () => {
    expect(asPrinterFrame({ id: 1, name: 'A' })).toEqual({ id: 1, name: 'A' })
    expect(asPrinterFrame({ passthru: { ref: '1' } })).toBeNull()
    expect(asPrinterFrame(null)).toBeNull()
    expect(asPrinterFrame('x')).toBeNull()
  })
})

describe('printer events', () => {
  it('are read from passthru frames, whatever they hold', () => {
    const event = {
      event_title: '<b>x</b>',
      event_text: '',
      event_class: 'ERROR',
      event_type: 'PRINTER_ERROR',
    }
    expect(asPrinterEvent({ passthru: { printer_event: event } })).toEqual({
      title: '<b>x</b>',
      text: null,
      kind: 'ERROR',
      type: 'PRINTER_ERROR',
    })
    expect(asPrinterEvent({ passthru: { printer_event: {} } })).toBeNull()
    expect(asPrinterEvent({ passthru: { terminal_feed: {} } })).toBeNull()
    expect(asPrinterEvent(null)).toBeNull()
  })
})
