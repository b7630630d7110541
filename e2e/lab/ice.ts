import { createHmac } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { FIELD, FIELDS } from './camera.ts'
import { TURN_SECRET } from './media.ts'

/** How a page's connections are to be other than the server said; the page itself is the product's. */
export interface Bend {
  /** The way to the relay on which messages can be delayed, and no other way. */
  readonly slow?: boolean
  /** Of the relay. */
  readonly credential?: { readonly username: string; readonly credential: string }
}

/** A credential of the relay as the server made it two hours ago. */
export function endedCredential(): Required<Bend>['credential'] {
  const username = `${Math.floor(Date.now() / 1000) - 3_600}:lab`
  return { username, credential: createHmac('sha1', TURN_SECRET).update(username).digest('base64') }
}

/** Lets the connections of a page be bent and looked at, from its next load on. */
export async function prepare(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const lab = window as unknown as { labPeers: RTCPeerConnection[]; labSaid: string[] }
    lab.labPeers = []
    lab.labSaid = []
    const bent = (config: RTCConfiguration): RTCConfiguration => {
      const { slow, credential }: Bend = JSON.parse(localStorage.getItem('lab-bend') ?? '{}')
      const iceServers = (config.iceServers ?? []).map((one) => ({
        ...one,
        ...(one.username ? credential : {}),
        urls: [one.urls].flat().map((url) => (slow ? url.replace(':3478', ':3479') : url)),
      }))
      return { ...config, iceServers, ...(slow ? { iceTransportPolicy: 'relay' } : {}) }
    }
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(config: RTCConfiguration = {}) {
        super(bent(config))
        lab.labPeers.push(this)
      }
      override setConfiguration(config: RTCConfiguration = {}) {
        super.setConfiguration(bent(config))
      }
    }
    const { send } = RTCDataChannel.prototype
    RTCDataChannel.prototype.send = function (this: RTCDataChannel, data: any) {
      lab.labSaid.push(String(data))
      send.call(this, data)
    }
  })
}

/** From now on the page's new connections are bent so. */
export const bend = (page: Page, how: Bend): Promise<void> =>
  page.evaluate((given) => localStorage.setItem('lab-bend', JSON.stringify(given)), how)

/** How the pictures of the page's open connection come: `host udp`, `relay tcp`. While a pair is looked after anew it is `in-progress`, selected or not. */
export const pairOf = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const { labPeers } = window as unknown as { labPeers: RTCPeerConnection[] }
    const peer = labPeers.findLast(({ connectionState }) => connectionState === 'connected')
    const stats = [...((await peer?.getStats())?.values() ?? [])] as Record<string, any>[]
    const selected = stats.find((one) => one['type'] === 'transport')?.['selectedCandidatePairId']
    const pair = stats.find((one) => one['id'] === selected)
    const local = stats.find((one) => one['id'] === pair?.['localCandidateId'])
    return local ? `${local['candidateType']} ${local['relayProtocol'] ?? local['protocol']}` : ''
  })

/** What the page has said over data channels. */
export const saidByData = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { labSaid: string[] }).labSaid)

/** When what a video, canvas or picture shows was drawn, in milliseconds since 1970: read from its barcode. */
export const drawnAt = (picture: Locator): Promise<number> =>
  picture.evaluate(
    (element, { field, fields }) => {
      const canvas = document.createElement('canvas')
      canvas.width = field * fields
      canvas.height = 1
      const ink = canvas.getContext('2d')
      ink?.drawImage(element as HTMLVideoElement, 0, 16, canvas.width, 1, 0, 0, canvas.width, 1)
      const data = ink?.getImageData(0, 0, canvas.width, 1).data ?? []
      let bits = ''
      for (let i = 0; i < fields; i++) bits += (data[4 * (i * field + 6)] ?? 0) > 127 ? '1' : '0'
      return parseInt(bits, 2)
    },
    { field: FIELD, fields: FIELDS },
  )
