import { describe, expect, it, vi } from 'vitest'
import { pictureOf, productTarget, readDisplay, readPrinterId, readProduct, readTarget } from './targets.ts'

vi.mock('../../../lib/base.ts', () => ({ serverUrl: (path: string) => `http://here${path}` }))

const product = { brand: 'FLSUN', model: 'S1 Pro+', image_url: null }

describe("the wizard's addresses", () => {
  it('name a product', () => {
    expect(productTarget(product)).toBe('klipper-flsun-s1-pro-enabled')
    expect(productTarget({ ...product, brand: '创想', model: '三维' })).toBe('klipper-printer-enabled')
    expect(readTarget(productTarget(product))).toBe('klipper-preinstalled')
  })

  it('carry the product as JSON, whatever stands there', () => {
    expect(readProduct({ printerItem: JSON.stringify(product) })).toEqual(product)
    for (const bad of [undefined, '', '{', 'null', '[]', '{"brand":1,"model":"x"}'])
      expect(readProduct({ printerItem: bad })).toBeNull()
  })

  it('show pictures of this server only', () => {
    expect(pictureOf({ ...product, image_url: '/media/a.png' })).toBe('http://here/media/a.png')
    for (const bad of ['//evil/a.png', 'https://evil/a.png', 'javascript:alert(1)', 'data:text/html,x'])
      expect(pictureOf({ ...product, image_url: bad })).toBeNull()
  })

  it('read the printer to link again and the display', () => {
    expect([readPrinterId({ printerId: '7' }), readPrinterId({ printerId: 'x' })]).toEqual([7, null])
    expect([readDisplay({ display: 'lcd' }), readDisplay({})]).toEqual(['lcd', 'screen'])
  })
})
