import { describe, expect, it } from 'vitest'
import { cameras } from '../../../printer/camera/camera.ts'
import { heatPixels } from './heat.ts'
import { arrange } from './views.ts'

describe('the heat map on the picture', () => {
  it('is clear where nothing is seen, and never hides the print', () => {
    const pixels = heatPixels(Uint8Array.from({ length: 256 }, (_, value) => value))
    const alpha = (value: number) => pixels[value * 4 + 3]!
    expect(alpha(0)).toBe(0)
    expect(alpha(45)).toBe(0)
    expect(alpha(128)).toBeGreaterThan(0)
    expect(Math.max(...Array.from({ length: 256 }, (_, value) => alpha(value)))).toBeLessThan(128)
  })
})

describe('which picture has the big place', () => {
  const all = cameras({
    webcams: [
      { name: 'Top', stream_id: 1 },
      { name: 'Front', stream_id: 2, is_primary_camera: true },
    ],
  })
  const calm = { preferred: 'all', alerted: null, picked: null }
  const places = (choice: Parameters<typeof arrange>[1]) => {
    const { big, rest } = arrange(all, choice)
    return [big.key, rest.map(({ key }) => key)]
  }

  it('is the main camera, or the preferred one alone; one that vanished means all', () => {
    expect(places(calm)).toEqual(['2', ['1']])
    expect(places({ ...calm, preferred: '1' })).toEqual(['1', []])
    expect(places({ ...calm, preferred: 'gone' })).toEqual(['2', ['1']])
    expect(places({ ...calm, picked: { key: '1', alerted: null } })).toEqual(['1', ['2']])
  })

  it('is the alert until it is answered, with the latest picture beside it', () => {
    expect(places({ ...calm, alerted: 'A' })).toEqual(['alert', ['1', '2']])
    expect(places({ ...calm, preferred: '1', alerted: 'A' })).toEqual(['alert', ['1', '2']])
    expect(places({ ...calm, preferred: '2', alerted: 'A' })).toEqual(['alert', ['2']])
    const picked = { key: '2', alerted: 'A' }
    expect(places({ ...calm, alerted: 'A', picked })).toEqual(['2', ['alert', '1']])
    expect(places({ ...calm, alerted: 'B', picked }), 'another alert').toEqual(['alert', ['1', '2']])
    expect(places({ ...calm, picked }), 'answered').toEqual(['2', ['1']])
  })
})
