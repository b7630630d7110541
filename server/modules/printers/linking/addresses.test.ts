import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { isInnerNetwork, outwardAddresses } from '../../../lib/interfaces.ts'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { reachOf } from './addresses.service.ts'

describe('an address leads here', () => {
  it.each([
    ['localhost', 'machine'],
    ['LOCALHOST.', 'machine'],
    ['vigil.localhost', 'machine'],
    ['127.0.0.1', 'machine'],
    ['127.8.9.10', 'machine'],
    ['[::1]', 'machine'],
    ['[::ffff:127.0.0.1]', 'machine'],
    ['0.0.0.0', 'machine'],
    ['host.docker.internal', 'machine'],
    ['192.168.1.20', 'network'],
    ['10.0.0.4', 'network'],
    ['169.254.3.4', 'network'],
    ['100.64.0.1', 'network'],
    ['[fd00::1]', 'network'],
    ['octopi.local', 'network'],
    ['nas', 'network'],
    ['vigil.fritz.home.arpa', 'network'],
    ['203.0.114.9', 'everywhere'],
    ['[2a00:1450::1]', 'everywhere'],
    ['vigil.example.org', 'everywhere'],
    ['localhost.example.org', 'everywhere'],
  ])('%s: from the %s', (host, reach) => expect(reachOf(host)).toBe(reach))
})

const info = (address: string, internal = false) =>
  ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo
const home = {
  lo: [info('127.0.0.1', true)],
  wlan0: [info('fe80::1'), info('192.168.1.20'), info('fd00::20')],
  docker0: [info('172.17.0.1')],
  'br-4f': [info('172.18.0.1')],
}

describe('other machines reach this one', () => {
  it('at its addresses in the network, not at those of its containers', () => {
    expect(outwardAddresses(home)).toEqual(['192.168.1.20'])
    expect(outwardAddresses({ lo: home.lo, eth0: [info('fe80::1'), info('fd00::20')] })).toEqual([
      '[fd00::20]',
    ])
    expect(outwardAddresses({ lo: home.lo, eth0: [info('169.254.3.4')] })).toEqual([])
  })

  it('not at what a container calls its own', () => {
    const container = { lo: home.lo, eth0: [info('172.17.0.2')] }
    expect(isInnerNetwork(container, true)).toBe(true)
    expect(isInnerNetwork(container, false)).toBe(false)
    expect(isInnerNetwork(home, true)).toBe(false)
  })
})

describe('the addresses that are offered', () => {
  const PUBLIC_URL = 'https://vigil.example.org/house'
  let app: TestApp
  let owner: TestUser
  beforeAll(async () => {
    app = await buildTestApp({ env: { PUBLIC_URL, HOST: '0.0.0.0' } })
    owner = await aUser(app)
  })
  afterAll(() => app.close())

  const ask = async (at: string, headers: Record<string, string> = {}) => {
    const path = `/api/v1/addresses/?at=${encodeURIComponent(at)}`
    return (await call(app, 'GET', path, { cookie: owner.cookie, headers })).json
  }
  const own = outwardAddresses().map((host) => ({
    address: `http://${host}:3334`,
    reach: reachOf(host),
  }))

  test('to a page that is open on the machine itself: PUBLIC_URL first, then where its network finds it', async () => {
    expect(await ask('http://localhost:3334')).toEqual({
      reach: 'machine',
      only_here: false,
      further: [{ address: PUBLIC_URL, reach: 'everywhere' }, ...own],
    })
  })

  test('to a page that came through a proxy: nothing of our network', async () => {
    const { further } = await ask('http://localhost:3334', { 'x-forwarded-for': '198.51.100.7' })
    expect(further).toEqual([{ address: PUBLIC_URL, reach: 'everywhere' }])
  })

  test('to a page in the network: what leads further, and to a public one nothing', async () => {
    expect(await ask('http://192.168.1.20:3334')).toEqual({
      reach: 'network',
      only_here: false,
      further: [{ address: PUBLIC_URL, reach: 'everywhere' }],
    })
    expect(await ask('https://vigil.example.org/house')).toMatchObject({ reach: 'everywhere', further: [] })
  })

  test('are told to members alone, and for an address', async () => {
    expect((await call(app, 'GET', '/api/v1/addresses/?at=http://localhost')).status).toBe(403)
    for (const at of ['', 'javascript:alert(1)', 'localhost']) {
      const path = `/api/v1/addresses/?at=${encodeURIComponent(at)}`
      expect((await call(app, 'GET', path, { cookie: owner.cookie })).status).toBe(400)
    }
  })
})

test.each([
  [{ HOST: '127.0.0.1' }, true],
  [{ HOST: '0.0.0.0', IN_CONTAINER: 'true' }, false],
])('what nobody else can open is not offered: %j', async (env, only_here) => {
  const app = await buildTestApp({ env })
  const owner = await aUser(app)
  // In a container that shares its machine's network the addresses are seen.
  const isSeen = !only_here && !isInnerNetwork(networkInterfaces(), true)
  const path = `/api/v1/addresses/?at=${encodeURIComponent('http://localhost:3334')}`
  const answer = await call(app, 'GET', path, { cookie: owner.cookie })
  expect(answer.json).toEqual({ reach: 'machine', only_here, further: isSeen ? expect.any(Array) : [] })
  await app.close()
})
