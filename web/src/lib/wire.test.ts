import { describe, expect, it } from 'vitest'
import { readProblem } from './errors.ts'
import { safeNext } from './paths.ts'
import { buildPath } from './request-path.ts'

describe('readProblem', () => {
  it('reads field maps, as lists, plain strings and nested', () => {
    const body = {
      name: ['Too long.', 'And odd.'],
      code: 'missing param',
      config: { url: ['bad'] },
      non_field_errors: ['All wrong.'],
    }
    expect(readProblem(400, null, body)).toEqual({
      kind: 'fields',
      fields: { name: 'Too long. And odd.', code: 'missing param', url: 'bad' },
      general: 'All wrong.',
    })
  })

  it('takes a detail, a bare list and an empty body', () => {
    expect(readProblem(400, null, { detail: 'JSON parse error' })).toMatchObject({
      general: 'JSON parse error',
    })
    expect(readProblem(400, null, ['corrupt'])).toMatchObject({ general: 'corrupt' })
    expect(readProblem(429, '7', null)).toEqual({ kind: 'throttled', retryAfterS: 7 })
    expect(readProblem(507, null, { detail: 'Disk is full' })).toEqual({
      kind: 'server',
      status: 507,
      detail: 'Disk is full',
    })
    expect(readProblem(502, null, '<html>')).toEqual({ kind: 'server', status: 502, detail: null })
  })
})

describe('safeNext', () => {
  it.each([
    ['/printers/7/control/?a=1', '/printers/7/control/?a=1'],
    ['https://evil.example/', '/printers/'],
    ['//evil.example/', '/printers/'],
    ['/\\evil.example/', '/printers/'],
    ['javascript:alert(1)', '/printers/'],
    [undefined, '/printers/'],
  ])('%s leads to %s', (next, to) => {
    expect(safeNext(next)).toBe(to)
  })

  it('drops the prefix that the router adds again', () => {
    expect(safeNext('/house/printers/', '/house/')).toBe('/printers/')
  })
})

describe('buildPath', () => {
  it('fills places and repeats lists', () => {
    const args = {
      params: { id: 7 },
      query: { with_archived: 'true', filter_by_printer_ids: [1, 2], none: undefined },
    }
    expect(buildPath('/api/v1/printers/:id/', args)).toBe(
      '/api/v1/printers/7/?with_archived=true&filter_by_printer_ids=1&filter_by_printer_ids=2',
    )
  })
})
