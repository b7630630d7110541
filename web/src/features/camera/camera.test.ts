import { describe, expect, it } from 'vitest'
import { cameras, mainCamera, orientation } from '../../printer/camera/camera.ts'
import { hardlyWatched } from '../../printer/watching.ts'
import { heatPixels } from './heat.ts'
import { arrange } from './views.ts'

describe('the cameras of a printer', () => {
  it('are those of its agent, each once, and one of them has the pictures', () => {
    const found = cameras({
      webcams: [
        { name: 'Nozzle', is_nozzle_camera: true, stream_id: 3, streamRatio: '4:3', rotation: 270 },
        { name: 'Front', is_primary_camera: true, stream_id: 2, flipH: true, rotation: 90 },
        { name: 'Front', stream_id: 9 },
        { name: 'data', stream_mode: 'data_channel_only', stream_id: 389 },
        { name: '', stream_id: 2 },
      ],
    })
    expect(found.map(({ key, name, primary }) => [key, name, primary])).toEqual([
      ['3', 'Nozzle', false],
      ['2', 'Front', true],
      ['2#2', '', false],
    ])
    expect(found[0]).toMatchObject({ nozzle: true, rotation: 270, ratio: 4 / 3 })
    expect(orientation(found[1]!)).toEqual({ flipH: true, flipV: false, rotation: 90, ratio: 9 / 16 })
    expect(orientation(found[1]!, 270)).toMatchObject({ rotation: 0, ratio: 16 / 9 })
  })

  it('are one where the agent tells of none, turned as old agents say', () => {
    const settings = { webcam_flipV: true, webcam_rotation: 180, webcam_streamRatio: '4:3' }
    for (const webcams of [undefined, null, [], 'x', [null, 7]])
      expect(cameras({ ...settings, webcams })).toMatchObject([
        { key: 'first', primary: true, flipV: true, rotation: 180, ratio: 4 / 3 },
      ])
  })

  it('have pictures of the first where none is called the main one', () => {
    expect(mainCamera({ webcams: [{ name: 'A' }, { name: 'B' }] }).name).toBe('A')
  })

  it('survive what an agent may say', () => {
    const [one, two] = cameras({
      webcams: [
        { name: 7, rotation: 45, streamRatio: '0:0', stream_id: {} },
        { name: 'x'.repeat(500), rotation: 'up', streamRatio: '900:1', stream_id: null },
      ],
    })
    expect(one).toMatchObject({ key: 'first', name: '', rotation: 0, ratio: 16 / 9 })
    expect(two!.name).toHaveLength(100)
    expect(two).toMatchObject({ rotation: 0, ratio: 16 / 9 })
    expect(one!.key).not.toBe(two!.key)
  })
})

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
  const places = (wishes: Parameters<typeof arrange>[1]) => {
    const { big, rest } = arrange(all, wishes)
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

describe('ignore zones over nearly everything', () => {
  it('are said from more than 80 % on, where it is watched at all', () => {
    const left = (ignored_percent: number, watching_enabled = true) =>
      hardlyWatched({ ignored_percent, watching_enabled })
    expect([left(0), left(80), left(81), left(100), left(100, false)]).toEqual([null, null, 81, 100, null])
  })
})
