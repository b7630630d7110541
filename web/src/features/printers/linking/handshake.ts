import type { Announcement } from '@vigil/contract/printers/linking.ts'

/** The printer's own page has this long to hand over its secret (docs/rules/pages.md 1). */
const HANDSHAKE_MS = 5_000

/** Where the printer hands out its secret: only to a browser on its own network (docs/wire/agents.md 2.3). */
export function handshakeUrl(device: Announcement): string {
  const plugin = device.agent ? 'obico' : 'thespaghettidetective'
  const url = new URL(
    `http://${device.host_or_ip}:${device.port || 80}/plugin/${plugin}/grab-discovery-secret`,
  )
  url.searchParams.set('device_id', device.device_id)
  return url.href
}

/** Opens the printer's page in a small window and waits for its secret. */
export function grabSecret(device: Announcement): Promise<{ secret: string } | 'blocked' | 'failed'> {
  const popup = window.open(handshakeUrl(device), '', 'width=500,height=100')
  if (!popup) return Promise.resolve('blocked')
  const origin = new URL(handshakeUrl(device)).origin
  return new Promise((resolve) => {
    const finish = (result: { secret: string } | 'failed') => {
      window.removeEventListener('message', listen)
      clearTimeout(timer)
      popup.close()
      resolve(result)
    }
    const listen = (event: MessageEvent) => {
      if (event.source !== popup && event.origin !== origin) return
      const secret: unknown = event.data?.device_secret
      if (typeof secret === 'string' && secret) finish({ secret })
    }
    const timer = setTimeout(() => finish('failed'), HANDSHAKE_MS)
    window.addEventListener('message', listen)
  })
}
