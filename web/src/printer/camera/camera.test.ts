import { describe, expect, it } from 'vitest'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { cameras, hasVideo, isMoving, mainCamera, orientation } from './camera.ts'

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

describe('a moving picture', () => {
  const printer = (more: object) => ({ status: {}, archived_at: null, ...more }) as Printer
  const [first, second] = cameras({
    webcams: [
      { name: 'Front', stream_id: 1, stream_mode: 'h264_copy', is_primary_camera: true },
      { name: 'Top', stream_id: 2, stream_mode: 'mjpeg_webrtc' },
    ],
  })

  it('is promised of no printer that is off or archived', () => {
    const promised = (more: object) => [first!, second!].map((camera) => hasVideo(printer(more), camera))
    expect(promised({})).toEqual([true, true])
    expect(promised({ status: null })).toEqual([false, false])
    expect(promised({ archived_at: '2026-11-01T00:00:00Z' })).toEqual([false, false])
  })

  it('makes no stills needed, but a try after one that failed does', () => {
    expect(isMoving({ phase: 'playing', reason: 'uplink' })).toBe(true)
    expect(isMoving({ phase: 'loading', reason: null })).toBe(true)
    expect(isMoving({ phase: 'loading', reason: 'nobody' })).toBe(false)
    expect(isMoving({ phase: 'stills', reason: 'nobody' })).toBe(false)
    expect(isMoving({ phase: 'off', reason: null })).toBe(false)
  })
})
