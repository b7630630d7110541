import type { PrinterFit } from '@vigil/contract/files/machines.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { expect, it } from 'vitest'
import { choicesOf } from './choices.ts'

const printers = ['busy', 'tight', 'unknown', 'off and tight', 'fits', 'fits, too'].map(
  (name, at) => ({ id: at + 1, name }) as Printer,
)
const fit = (id: number, verdict: 'fits' | 'warns' | 'unknown'): PrinterFit => ({
  printer: { id, name: '' },
  fit: { verdict, reasons: [] },
})
const fits = [
  fit(1, 'fits'),
  fit(2, 'warns'),
  fit(3, 'unknown'),
  fit(4, 'warns'),
  fit(5, 'fits'),
  fit(6, 'fits'),
]
const whyNot = ({ name }: Printer) => (/busy|off/.test(name) ? name : null)
const names = (all: readonly { printer: Printer }[]) => all.map(({ printer }) => printer.name)

it('free printers that it fits come first, then those of which nobody knows; all others are apart', () => {
  const { ready, others } = choicesOf(printers, fits, whyNot)
  expect(names(ready)).toEqual(['fits', 'fits, too', 'unknown'])
  expect(names(others)).toEqual(['tight', 'busy', 'off and tight'])
  expect(others.map(({ why }) => why)).toEqual([null, 'busy', 'off and tight'])
})

it('before anybody knows what fits, the free ones are offered; of none there are none', () => {
  const { ready, others } = choicesOf(printers, undefined, whyNot)
  expect(names(ready)).toEqual(['tight', 'unknown', 'fits', 'fits, too'])
  expect(names(others)).toEqual(['busy', 'off and tight'])
  expect(choicesOf([], fits, whyNot)).toEqual({ ready: [], others: [] })
})
