import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { loggedPath, requireKnownParameters } from '../http/access-log.ts'
import { createEdgeReader } from '../http/edge.ts'
import { pickLanguage } from '../http/language.ts'

const read = (
  headers: Record<string, string>,
  { peer = '127.0.0.1', trust = ['loopback'], httpVersion = '1.1' } = {},
) =>
  createEdgeReader(trust)({
    headers,
    httpVersion,
    socket: { remoteAddress: peer },
  } as unknown as IncomingMessage)

describe('the edge of a request', () => {
  it('is what its sender sees, as a trusted proxy says', () => {
    const headers = {
      host: 'backend:3334',
      'x-forwarded-for': '203.0.113.9, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'My.Home',
      'x-forwarded-prefix': '/vigil/',
    }
    expect(read(headers)).toEqual({
      origin: 'https://my.home',
      prefix: '/vigil',
      address: '203.0.113.9',
      isLocalNetwork: false,
      proxy: 'trusted',
    })
    expect(read(headers, { peer: '::ffff:198.51.100.4' })).toEqual({
      origin: 'http://backend:3334',
      prefix: '',
      address: '198.51.100.4',
      isLocalNetwork: false,
      proxy: 'unknown',
    })
  })

  it.each([
    [{ host: 'x', 'x-forwarded-port': '8443', 'x-forwarded-proto': 'https' }, 'https://x:8443'],
    [{ host: 'x', 'x-forwarded-port': '443', 'x-forwarded-proto': 'https' }, 'https://x'],
    [{ host: 'x:8080', 'x-forwarded-port': '80' }, 'http://x:8080'],
    [{ host: '[::1]:3334' }, 'http://[::1]:3334'],
    [{ host: 'a"><b' }, 'http://localhost'],
    [{ host: 'evil.example/..' }, 'http://localhost'],
    [{}, 'http://localhost'],
  ])('%o is %s', (headers, origin) => {
    expect(read(headers as Record<string, string>).origin).toBe(origin)
  })

  it.each(['/"><script>', '//evil.example', 'vigil', '/a b', '/a/../..%2f'])(
    'takes no prefix from %s',
    (prefix) => {
      expect(read({ host: 'x', 'x-forwarded-prefix': prefix }).prefix).toBe('')
    },
  )

  it.each([
    ['unknown', '127.0.0.1'],
    ['garbage, 198.51.100.4', '198.51.100.4'],
    ['6.6.6.6, 198.51.100.4', '198.51.100.4'],
    ['198.51.100.4:51234', '198.51.100.4'],
    ['::ffff:198.51.100.4', '198.51.100.4'],
  ])('X-Forwarded-For: %s is %s', (forwardedFor, address) => {
    expect(read({ host: 'x', 'x-forwarded-for': forwardedFor }).address).toBe(address)
  })

  it('is a home network only without any sign of a proxy', () => {
    const isLocal = (headers: Record<string, string>, peer = '192.168.1.7', httpVersion = '1.1') =>
      read(headers, { peer, httpVersion }).isLocalNetwork
    expect(isLocal({ host: '192.168.1.2:3334' })).toBe(true)
    expect(isLocal({ host: 'vigil.local:3334' })).toBe(true)
    expect(isLocal({ host: '192.168.1.2:3334' }, '62.12.113.9')).toBe(false)
    expect(isLocal({ host: 'vigil.example.com' })).toBe(false)
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'cf-connecting-ip']) {
      expect([name, isLocal({ host: '192.168.1.2:3334', [name]: 'x' })]).toEqual([name, false])
    }
    expect(isLocal({ host: '127.0.0.1:3334' }, '127.0.0.1', '1.0')).toBe(false)
  })
})

describe('small rules', () => {
  it.each([
    [{ accepted: 'zh-Hans-CN,en;q=0.9' }, 'zh'],
    [{ accepted: 'de-DE, en;q=0.3, zh;q=0.9' }, 'zh'],
    [{ accepted: 'zh;q=0, *' }, 'en'],
    [{ accepted: 'en', own: 'zh' }, 'zh'],
    [{ asked: 'zh_TW', own: 'en' }, 'zh'],
    [{ asked: 'xx' }, 'en'],
  ] as const)('%o reads %s', (preferred, language) => {
    expect(pickLanguage(preferred)).toBe(language)
  })

  it('a path is written down as its route has it: parameters that are no secret, and nothing of the query', () => {
    const at = (url: string, route: string, params: object) =>
      loggedPath({ url: `${url}?code=123456`, params, routeOptions: { url: route } })
    expect(at('/api/v1/prints/12/', '/api/v1/prints/:id/', { id: 12 })).toBe('/api/v1/prints/12/')
    expect(at('/alerts/abc/pause/', '/alerts/:token/pause/', { token: 'abc' })).toBe('/alerts/***/pause/')
    expect(() => requireKnownParameters('/api/v1/things/:secret_word/')).toThrow(
      'may secret_word stand in a log?',
    )
  })

  it('of what no route is for, plain words and numbers are written down', () => {
    const at = (url: string) => loggedPath({ url })
    expect(at('/printers/share_token/abcdef/?x')).toBe('/printers/share_token/***/')
    expect(at('/accounts/password/reset/key/abc-def/')).toBe('/accounts/password/reset/key/***/')
    expect(at('/printers/12/control/')).toBe('/printers/12/control/')
    expect(at('/assets/index.js')).toBe('/assets/index.js')
    const token = 'tr4Q-x_9'.repeat(5)
    for (const way of ['/alerts/:/pause/', '/api/v1p/timelapse/:/', '/nowhere/:'])
      expect(at(way.replace(':', token))).toBe(way.replace(':', '***'))
    expect(at(`/${'a1'.repeat(5_000)}`)).toBe('/***')
  })
})
