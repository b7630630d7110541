import { expect, test } from 'vitest'
import { isOtherSite } from './pass.rules.ts'
import { originFor } from './places.rules.ts'

/** Where a tunnel stands, and whether that is of the app's site (docs/wire/remote.md 1). */

const CODE = '0123456789abcdef'
const SETTINGS = {
  TUNNEL_LOCAL_NAMES: false,
  TUNNEL_PORTS_TAKEN: [],
  PORT: 3334,
  hasUsualTunnelPorts: true,
  OCTOPRINT_TUNNEL_PORT_RANGE: undefined,
}

test.each([
  ['https://vigil.example', `https://${CODE}.tunnels.vigil.example`],
  ['https://vigil.example:8443', `https://${CODE}.tunnels.vigil.example:8443`],
  // below the domain: the same way in
  ['https://app.vigil.example:8443', `https://${CODE}.tunnels.vigil.example:8443`],
  ['http://app.vigil.example', `http://${CODE}.tunnels.vigil.example`],
  // elsewhere: by the front door
  ['http://notvigil.example:3334', `https://${CODE}.tunnels.vigil.example`],
  ['http://192.168.1.5:3334', `https://${CODE}.tunnels.vigil.example`],
])('with a domain, the tunnel of who has the app open at %s is at %s', (origin, own) => {
  const settings = { ...SETTINGS, TUNNEL_DOMAIN: 'vigil.example', PUBLIC_URL: 'https://vigil.example' }
  const visitor = { origin, isProxied: true, userAgent: '' }
  expect(originFor(settings, { code: CODE, port: null }, visitor)).toBe(own)
})

test.each([
  ['https://vigil.example', `https://${CODE}.tunnels.vigil.example`, false],
  ['https://vigil.example', 'https://vigil.example:15853', false],
  ['https://vigil.example', `https://${CODE}.tunnels.vigil-printers.example`, true],
  ['https://vigil.example', `https://${CODE}.tunnels.notvigil.example`, true],
  // a frame that is never kept apart where there is no TLS
  ['http://vigil.example', `http://${CODE}.tunnels.vigil-printers.example`, false],
  // browsers hold each name below localhost for a site of its own
  ['http://localhost:3334', `http://${CODE}.localhost:3334`, true],
  ['http://127.0.0.1:3334', 'http://127.0.0.1:15853', false],
])('of the app at %s the tunnel at %s is of another site: %s', (app, own, isOther) => {
  expect(isOtherSite(app, own)).toBe(isOther)
})
