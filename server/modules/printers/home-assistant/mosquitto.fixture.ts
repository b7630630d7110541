import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { connectAsync, type IPublishPacket, type MqttClient } from 'mqtt'
import { freePort } from '../../../test/nginx.ts'
import { eventually } from '../../../test/wire/agent.ts'

const PATH = [process.env['PATH'], '/usr/sbin', '/usr/local/sbin'].join(delimiter)

/** Whether Debian's broker is there; in CI it must be (`apt-get install mosquitto`). */
export function hasMosquitto(): boolean {
  if (spawnSync('mosquitto', ['-h'], { env: { ...process.env, PATH } }).error === undefined) return true
  if (process.env['CI'] === 'true') throw new Error('mosquitto is missing: apt-get install mosquitto')
  console.warn('SKIPPED, not tested here: mosquitto')
  return false
}

/** Somebody else on the broker, who hears everything: Home Assistant. */
export interface Listener {
  readonly client: MqttClient
  /** Everything heard, in order. */
  readonly heard: { topic: string; payload: Buffer; retain: boolean }[]
  /** Waits for a message that comes, or has come, on a topic with this end. */
  on(end: string, test?: (payload: Buffer) => boolean): Promise<Buffer>
  say(topic: string, payload: string, retain?: boolean): Promise<void>
}

/** Debian's mosquitto with a user and a password; it keeps what is to be kept over `restart`. */
export async function aMosquitto() {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-mosquitto-'))
  const port = await freePort()
  const config = join(folder, 'mosquitto.conf')
  await writeFile(
    config,
    `listener ${port} 127.0.0.1
password_file ${folder}/passwords
persistence true
persistence_location ${folder}/
log_dest stderr
${process.getuid?.() === 0 ? 'user root' : ''}
`,
  )
  spawnSync('mosquitto_passwd', ['-c', '-b', join(folder, 'passwords'), 'vigil', 'secret'], {
    env: { ...process.env, PATH },
  })
  let running: ChildProcess | null = null
  const listeners: MqttClient[] = []

  async function start(): Promise<void> {
    running = spawn('mosquitto', ['-c', config], { stdio: 'ignore', env: { ...process.env, PATH } })
    await eventually(
      () =>
        new Promise<true | undefined>((resolve) => {
          const socket = connectTcp(port, '127.0.0.1', () => resolve(true))
          socket.on('error', () => resolve(undefined))
          socket.on('connect', () => socket.destroy())
        }),
    )
  }
  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (running === null) return
    const ended = once(running, 'exit')
    running.kill(signal)
    running = null
    await ended
  }
  await start()
  return {
    address: `mqtt://127.0.0.1:${port}`,
    start,
    stop,
    async listener(): Promise<Listener> {
      const client = await connectAsync(`mqtt://127.0.0.1:${port}`, {
        username: 'vigil',
        password: 'secret',
        reconnectPeriod: 200,
        protocolVersion: 5,
      })
      listeners.push(client)
      client.on('error', () => undefined)
      const heard: Listener['heard'] = []
      client.on('message', (topic, payload, { retain }: IPublishPacket) =>
        heard.push({ topic, payload, retain }),
      )
      await client.subscribeAsync('#')
      return {
        client,
        heard,
        on: async (end, test = () => true) =>
          await eventually(
            () => heard.findLast(({ topic, payload }) => topic.endsWith(end) && test(payload))?.payload,
            60_000,
            () => heard.map(({ topic, payload }) => `${topic} ${payload.toString().slice(0, 80)}`).join('\n'),
          ),
        say: async (topic, payload, retain = false) =>
          void (await client.publishAsync(topic, payload, { qos: 1, retain })),
      }
    },
    async close(): Promise<void> {
      await Promise.all(listeners.map((client) => client.endAsync(true)))
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export type Mosquitto = Awaited<ReturnType<typeof aMosquitto>>

/** A line to a broker that can be cut, so that neither side has said goodbye. */
export async function aLineTo(broker: string) {
  const { port: onward } = new URL(broker)
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connectTcp(Number(onward), '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => undefined)
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How many are connected by it. */
    count: () => open.size / 2,
    cut() {
      isCut = true
      for (const socket of open) socket.destroy()
    },
    mend: () => void (isCut = false),
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type Line = Awaited<ReturnType<typeof aLineTo>>
