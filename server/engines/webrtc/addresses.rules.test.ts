import { expect, test } from 'vitest'
import { withAddresses, withoutCandidates } from './addresses.rules.ts'

const SDP = [
  'v=0',
  'm=video 45010 UDP/TLS/RTP/SAVPF 96',
  'a=ice-pwd:one',
  'a=candidate:2 1 UDP 2116026111 fd00::2 45010 typ host',
  'a=candidate:1 1 UDP 2114977791 172.17.0.2 45010 typ host',
  'a=end-of-candidates',
  'm=application 45010 UDP/DTLS/SCTP webrtc-datachannel',
  'a=ice-pwd:one',
  '',
].join('\r\n')

test('nobody is called: what the other side says of its addresses is left out', () => {
  expect(withoutCandidates(SDP).split('\r\n')).toEqual(SDP.split('\r\n').filter((_, i) => i < 3 || i > 5))
})

test('where addresses are named, they alone are told, at the port that there is', () => {
  expect(withAddresses(SDP, [])).toBe(SDP)
  const told = withAddresses(SDP, ['203.0.113.7', '2001:db8::7'])
  expect(told.split('\r\n').filter((line) => line.startsWith('a=candidate'))).toEqual([
    'a=candidate:1 1 UDP 2130706431 203.0.113.7 45010 typ host',
    'a=candidate:2 1 UDP 2130640639 2001:db8::7 45010 typ host',
  ])
  expect(told.split('\r\n').slice(0, 3)).toEqual(SDP.split('\r\n').slice(0, 3))
  expect(told).not.toContain('172.17')
})
