import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { blockListOf } from '../../lib/addresses.ts'
import { AddressRefused, guardedLookup, mayBeNamed, mayCall } from './guard.ts'
import { NoAnswer, send } from './send.ts'

const NONE = blockListOf([])
const HOUSE = blockListOf(['192.168.1.0/24', 'fd12:3456::/32', '10.9.8.7'])

describe('an address that somebody has named', () => {
  it.each(['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
    '%s may be called',
    (address) => {
      expect(mayCall(address, NONE)).toBe(true)
    },
  )

  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.5',
    '100.64.0.1',
    '192.0.2.1',
    'fd12:3456::1',
    '::ffff:192.168.1.5',
    '::ffff:c0a8:105',
  ])('%s is inside: not called', (address) => {
    expect(mayCall(address, NONE)).toBe(false)
  })

  it.each(['192.168.1.5', '::ffff:192.168.1.5', 'fd12:3456::1', '10.9.8.7'])(
    '%s is called where the administrator allows its network',
    (address) => {
      expect(mayCall(address, HOUSE)).toBe(true)
    },
  )

  it('is allowed by its network and no other', () => {
    for (const address of ['192.168.2.5', '10.9.8.8', 'fd12:3457::1'])
      expect(mayCall(address, HOUSE), address).toBe(false)
  })

  const everything = blockListOf(['0.0.0.0/0', '::/0'])
  it.each([
    '127.0.0.1',
    '127.8.9.1',
    '0.0.0.0',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    '224.0.0.1',
    'ff02::1',
    '255.255.255.255',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a9fe:a9fe',
    '2002:7f00:1::',
    '2001:0:1::1',
    'fec0::1',
    '::ffff:0:127.0.0.1',
    '::ffff:0:7f00:1',
    '5f00::1',
    '192.88.99.1',
    '240.0.0.1',
    '198.18.0.1',
    '192.175.48.1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    // Nothing has been given out there: what is not known to be public is not called.
    '4000::1',
    '1::1',
    'no address',
    '',
  ])('%s is never called, whatever is allowed', (address) => {
    expect(mayCall(address, everything)).toBe(false)
  })
})

it('an address of this machine’s own is called where its network is allowed alone', () => {
  const own = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family, scopeid }) => !internal && (family === 'IPv4' || scopeid === 0))
  for (const { address } of own) {
    expect(mayCall(address, NONE), address).toBe(false)
    // One of documentation, as laboratories have them, is called by nobody.
    const isUsable = ipaddr.process(address).range() !== 'reserved'
    expect(mayCall(address, blockListOf([address])), address).toBe(isUsable)
  }
})

describe('an address that is saved', () => {
  const needs = (...networks: string[]) => ({ NOTIFY_NETWORKS: networks, OUTGOING_STAND_INS: new Map() })

  it('is refused then, by number and by name', async () => {
    for (const url of [
      'http://127.0.0.1/',
      'http://[fec0::1]/x',
      'mqtt://10.1.1.1:1883',
      'http://localhost:1/',
    ])
      expect(await mayBeNamed(needs(), url), url).toBe(false)
    expect(await mayBeNamed(needs('10.0.0.0/8'), 'mqtt://10.1.1.1:1883')).toBe(true)
    expect(await mayBeNamed(needs(), 'http://8.8.8.8/')).toBe(true)
  })

  it('whose name nobody answers for is let be, as it is looked at again when it is called', async () => {
    expect(await mayBeNamed(needs(), 'https://nobody.invalid/')).toBe(true)
  })
})

describe('a name that somebody has named', () => {
  const found = (...addresses: string[]): LookupAddress[] =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  /** What a connection would be made to. */
  const lookedUp = (answers: LookupAddress[], all: boolean) =>
    new Promise((resolve) => {
      const lookup = guardedLookup(NONE, (_host, _options, done) => done(null, answers))
      lookup('name.example', { all }, (error, address) => resolve(error ?? address))
    })

  it('is connected to as it was looked at', async () => {
    expect(await lookedUp(found('8.8.8.8', '2606:4700::1'), false)).toBe('8.8.8.8')
    expect(await lookedUp(found('8.8.8.8', '2606:4700::1'), true)).toEqual(found('8.8.8.8', '2606:4700::1'))
  })

  it('is not called when one of its addresses is inside: nobody chooses which', async () => {
    for (const all of [false, true]) {
      expect(await lookedUp(found('8.8.8.8', '127.0.0.1'), all)).toBeInstanceOf(AddressRefused)
      expect(await lookedUp(found('::ffff:10.0.0.1'), all)).toBeInstanceOf(AddressRefused)
      expect(await lookedUp([], all)).toBeInstanceOf(AddressRefused)
    }
  })

  it('that means something else a moment later gains nothing: it is asked once for each call, and what it said is what is called', async () => {
    let asked = 0
    const rebinding = guardedLookup(NONE, (_host, _options, done) =>
      done(null, found(asked++ === 0 ? '8.8.8.8' : '127.0.0.1')),
    )
    const one = () =>
      new Promise((resolve) => rebinding('name.example', {}, (error, address) => resolve(error ?? address)))
    expect(await one()).toBe('8.8.8.8')
    expect(asked).toBe(1)
    expect(await one()).toBeInstanceOf(AddressRefused)
  })
})

describe('a call', () => {
  let server: Server | null = null
  let asked: string[] = []
  afterEach(() => {
    server?.close()
    server = null
    asked = []
  })
  async function serve(
    answer: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<string> {
    server = createServer((request, response) => {
      asked.push(request.url ?? '')
      answer(request, response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const nothing = {
    NOTIFY_NETWORKS: ['127.0.0.0/8', '0.0.0.0/0'],
    OUTGOING_STAND_INS: new Map<string, string>(),
  }
  const why = async (url: string) =>
    await send(nothing, { url, namedBy: 'person' }).catch((error: unknown) => error)

  it('to this machine is refused in every spelling, before anything is sent', async () => {
    const { port } = new URL(await serve((_, response) => response.end('secret')))
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '0.0.0.0',
      '0177.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
      '127.1',
    ]) {
      const error = await why(`http://${host}:${port}/`)
      expect(error, host).toBeInstanceOf(NoAnswer)
      expect(error, host).toMatchObject({ isRefused: true })
    }
    expect(await why('file:///etc/passwd')).toMatchObject({ isRefused: true })
    expect(asked).toEqual([])
  })

  it('does not follow where it is sent on to', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: '/inside' }).end())
    const stand = { ...nothing, OUTGOING_STAND_INS: new Map([['http://hook.example', url]]) }
    const answer = await send(stand, { url: 'http://hook.example/first', namedBy: 'person' })
    expect(answer.status).toBe(302)
    expect(asked).toEqual(['/first'])
  })

  it('reads 64 KB of an answer that never ends, and waits for none that never comes', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/silent') return
      response.writeHead(200)
      const more = () => void (response.destroyed || response.write('x'.repeat(16_384), more))
      more()
    })
    const vendor = (path: string, timeoutMs = 5_000) =>
      send(nothing, { url: url + path, namedBy: 'vendor', timeoutMs })
    expect((await vendor('/endless')).text).toHaveLength(65_536)
    await expect(vendor('/silent', 200)).rejects.toMatchObject({ name: 'NoAnswer', isRefused: false })
    server?.closeAllConnections()
  })
})
