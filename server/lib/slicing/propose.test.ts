import { describe, expect, it } from 'vitest'
import type { Brand, Machine, MachineModel } from './catalogue.ts'
import { proposeMachine } from './propose.ts'

const machine = (name: string, nozzle: string, side: number): Machine => ({
  id: 1,
  name,
  subPath: name,
  nozzles: [nozzle],
  bed: [
    [0, 0],
    [side, 0],
    [side, side],
    [0, side],
  ],
  height: 250,
  values: new Map(),
  filaments: [],
  prints: [],
  filament: null,
  print: null,
})
const model = (key: string, name: string, side = 220): MachineModel => ({
  id: 1,
  name,
  key,
  vendor: 'V',
  engine: 'prusa',
  machines: ['0.4', '0.6'].map((nozzle) => machine(`${key} ${nozzle}`, nozzle, side)),
})
const brands: readonly Brand[] = [
  {
    brand: 'Creality',
    models: [model('ENDER3', 'Ender-3'), model('ENDER3MAX', 'Ender-3 Max', 300), model('CR10', 'CR-10', 300)],
  },
  { brand: 'Prusa', models: [model('MK3S', 'Original i3 MK3S', 250), model('MINI', 'Mini', 180)] },
]
const asked = (name: string, also: { bed?: number; nozzle?: number; model?: string } = {}, from = brands) =>
  proposeMachine(from, {
    name,
    model: also.model ?? null,
    bed: also.bed === undefined ? null : [also.bed, also.bed],
    nozzle: also.nozzle ?? null,
  })?.name ?? null

describe('the machine that a printer seems to be', () => {
  it.each([
    ['ender3 in the garage', {}, 'ENDER3 0.4'],
    ['Ender 3 max', {}, 'ENDER3MAX 0.4'],
    ['my Ender 3', { bed: 301 }, 'ENDER3MAX 0.4'],
    ['left one', { model: 'MK3S', nozzle: 0.6 }, 'MK3S 0.6'],
    ['left one', { bed: 220 }, null],
    ['', {}, null],
  ])('%j, of which is known %j', (name, also, is) => {
    expect(asked(name, also)).toBe(is)
  })

  it('is found without reading the catalogue again for each printer', () => {
    let read = 0
    const counted = brands.map(({ brand, models }) => ({
      brand,
      get models() {
        read++
        return models
      },
    }))
    for (let i = 0; i < 200; i++) expect(asked(`Mini ${i}`, {}, counted)).toBe('MINI 0.4')
    expect(read).toBe(brands.length)
  })
})
