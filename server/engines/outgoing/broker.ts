import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, rootCertificates } from 'node:tls'
import type { IClientOptions, MqttClient } from 'mqtt'
import type { Config } from '../../config.ts'
import { blockListOf } from '../../lib/addresses.ts'
import { AddressRefused, guardedLookup, refuseLiteral } from './guard.ts'

/** An MQTT broker as somebody has named it: `mqtt://host:1883`, or `mqtts://` by TLS. */
export interface Broker {
  readonly url: string
  readonly username?: string
  readonly password?: string
  /** Certificates (PEM) that are trusted beside the usual ones: of a house that signs its own. */
  readonly ca?: string
}

const PORTS: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883 }
/** It is asked for a sign of life this often. A broker that hears nothing for one and a half times as long takes us for gone. */
const KEEPALIVE_S = 5
const CONNECT_MS = 5_000

/** Scheme, host and port of a broker's address; null when it is none. */
export function readBroker(address: string): { isTls: boolean; host: string; port: number } | null {
  const url = URL.parse(address)
  const usual = PORTS[url?.protocol ?? '']
  if (url === null || usual === undefined || url.hostname === '') return null
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.username !== '') return null
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  return { isTls: url.protocol === 'mqtts:', host, port: url.port === '' ? usual : Number(url.port) }
}

type Needs = Pick<Config, 'NOTIFY_NETWORKS' | 'OUTGOING_STAND_INS'>

/** Where a broker is in truth: tests have stand-ins, which are this machine. */
function targetOf({ OUTGOING_STAND_INS }: Needs, { url }: Broker) {
  const standIn = OUTGOING_STAND_INS.get(url.replace(/\/$/, ''))
  const found = readBroker(standIn ?? url)
  if (found === null) throw new AddressRefused('this is no address of a broker')
  return { ...found, isStandIn: standIn !== undefined }
}

/** A socket to a broker: its name is resolved now, looked at, and connected to as it was looked at. */
function socketTo(config: Needs, broker: Broker): Socket {
  const { isTls, host, port, isStandIn } = targetOf(config, broker)
  const allowed = blockListOf(config.NOTIFY_NETWORKS)
  if (!isStandIn) refuseLiteral(host, allowed)
  const where = { host, port, ...(isStandIn ? {} : { lookup: guardedLookup(allowed) }) }
  if (!isTls) return connectTcp(where)
  const servername = readBroker(broker.url)?.host ?? host
  // Beside the usual certificates, not in their place.
  const ca = broker.ca === undefined ? {} : { ca: [...rootCertificates, broker.ca] }
  return connectTls({ ...where, ...ca, ...(isIP(servername) === 0 ? { servername } : {}) })
}

/** What a connection is opened with beside its broker. */
export interface Session {
  readonly clientId: string
  /** What the broker says in our place when we are gone. */
  readonly will?: { readonly topic: string; readonly payload: string }
}

/**
 * Opens a connection that nothing is kept for at the broker, so that what comes while it is away never comes late; the
 * caller opens another when it is lost. Resolves when the broker has accepted it; raises an error that says why not
 * (`AddressRefused` for an address that may not be called).
 */
export async function openBroker(
  config: Needs,
  broker: Broker,
  { clientId, will }: Session,
): Promise<MqttClient> {
  const trouble: { error: Error | null } = { error: null }
  const options: IClientOptions = {
    clientId,
    protocolVersion: 5,
    clean: true,
    reconnectPeriod: 0,
    queueQoSZero: false,
    connectTimeout: CONNECT_MS,
    keepalive: KEEPALIVE_S,
    // Asked whatever else is sent, so that the broker is heard this often.
    reschedulePings: false,
    ...(broker.username === undefined ? {} : { username: broker.username }),
    ...(broker.password === undefined ? {} : { password: broker.password }),
    ...(will ? { will: { ...will, payload: Buffer.from(will.payload), retain: true, qos: 1 } } : {}),
  }
  const { MqttClient: Client } = await import('mqtt')
  const first = socketTo(config, broker)
  first.on('error', (error) => (trouble.error = error))
  const client = new Client(() => first, options)
  return await new Promise((resolve, reject) => {
    const failed = (error?: Error) => {
      client.end(true)
      reject(trouble.error ?? error ?? new Error('the broker has closed the connection'))
    }
    client.on('error', failed)
    client.once('close', failed)
    client.once('connect', () => {
      client.off('close', failed)
      resolve(client)
    })
  })
}
