import { expect, it } from 'vitest'
import { clientOf, isPrivateAddress, siteOf } from './addresses.ts'

/** First and last address of each block, and their neighbours outside. */
it.each([
  ['this network', '0.0.0.0 0.255.255.255', '1.0.0.0'],
  ['private use', '10.0.0.0 10.255.255.255', '9.255.255.255 11.0.0.0'],
  ['shared address space is neither', '', '100.64.0.0 100.127.255.255'],
  ['loopback', '127.0.0.1 127.255.255.255', '126.255.255.255 128.0.0.0'],
  ['link local', '169.254.0.0 169.254.255.255', '169.253.255.255 169.255.0.0'],
  ['private use', '172.16.0.0 172.31.255.255', '172.15.255.255 172.32.0.0'],
  ['protocol assignments', '192.0.0.0 192.0.0.8 192.0.0.11 192.0.0.255', '191.255.255.255 192.0.1.0'],
  ['PCP and TURN anycast', '', '192.0.0.9 192.0.0.10'],
  ['documentation', '192.0.2.0 192.0.2.255', '192.0.1.255 192.0.3.0'],
  ['AS112 and AMT are reachable', '', '192.31.196.1 192.52.193.1 192.175.48.1'],
  ['private use', '192.168.0.0 192.168.255.255', '192.167.255.255 192.169.0.0'],
  ['benchmarking', '198.18.0.0 198.19.255.255', '198.17.255.255 198.20.0.0'],
  ['documentation', '198.51.100.0 203.0.113.255', '198.51.101.0 203.0.112.255'],
  ['reserved and broadcast', '240.0.0.0 255.255.255.255', '239.255.255.255'],
  ['unspecified and loopback', ':: ::1', '::2'],
  ['local translation', '64:ff9b:1::1', '64:ff9b::1 64:ff9b:2::'],
  ['discard only', '100::1', '100:0:0:1::'],
  ['protocol assignments', '2001:: 2001:1:: 2001:2::1 2001:10::1 2001:1ff:ffff::', '2001:200::'],
  [
    'anycast, AMT, AS112, ORCHIDv2, drones',
    '',
    '2001:1::1 2001:1::2 2001:3::1 2001:4:112::1 2001:20::1 2001:30::1',
  ],
  ['documentation', '2001:db8::1 3fff::1 3fff:fff:ffff::', '2001:db7:ffff:: 2001:db9:: 3fff:1000::'],
  ['6to4', '2002::1', '2003::1'],
  ['unique local', 'fc00::1 fdff:ffff::', 'fbff:ffff::'],
  ['link local', 'fe80::1 fe80::1%eth0 febf::1', 'fec0::1'],
  ['mapped', '::ffff:192.168.1.2 ::ffff:192.0.2.1', '::ffff:8.8.8.8'],
  ['what is no address', '', 'localhost 10 127.1 0x7f.0.0.1 010.0.0.1 192.168.1 1.2.3.4.5 :::'],
])('%s: what is private, what is not', (_block, inside, outside) => {
  const judged = (list: string) =>
    list
      .split(' ')
      .filter(Boolean)
      .map((one) => [one, isPrivateAddress(one)])
  expect(judged(inside).filter(([, isPrivate]) => !isPrivate)).toEqual([])
  expect(judged(outside).filter(([, isPrivate]) => isPrivate)).toEqual([])
})

it('one client is an address or a /64, one customer at most a /48', () => {
  expect(clientOf('2a01:db8::1')).toBe(clientOf('2a01:db8::ffff:2'))
  expect(clientOf('2a01:db8::1')).not.toBe(clientOf('2a01:db8:0:1::1'))
  expect(siteOf('2a01:db8::1')).toBe(siteOf('2a01:db8:0:1::1'))
  expect(siteOf('2a01:db8::1')).not.toBe(siteOf('2a01:db8:1::1'))
  for (const keyOf of [clientOf, siteOf]) {
    expect(keyOf('::ffff:10.0.0.1')).toBe('10.0.0.1')
    expect(keyOf('nonsense')).toBe('nonsense')
  }
})
