import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Addresses of the printer's side, where Janus and the relay are. */
export const PRINTER_SIDE = '10.99.0.1'
/** Where Janus sends from (media.ts). */
export const JANUS_PORTS = '20000-20400'
/** Cameras film and viewers look in real time, whatever else runs on this machine: what would wait its turn would be late. */
export const FIRST = ['-n', '-10'] as const
const NEEDED = ['ip', 'nft', 'tc', 'janus', 'turnserver', 'ffmpeg', 'chromium']

/**
 * Where a server in the machine's own network is reached from the lab's two, once `reachServer` has laid the lines: a net of its own for
 * each process, as labs may run side by side.
 */
export const serverSides = (): readonly [printer: string, viewer: string] => [sideOf(98, 1), sideOf(97, 1)]
const sideOf = (net: number, host: number) =>
  `10.${net}.${(process.pid >> 6) & 255}.${(process.pid & 63) * 4 + host}`

/** Why there can be no lab here; null: there can. */
export async function whyNoLab(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  for (const program of NEEDED)
    if ((await run('sh', ['-c', `command -v ${program}`]).catch(() => null)) === null)
      return `there is no ${program}`
  const name = `vigil-try-${process.pid}`
  try {
    await run('ip', ['netns', 'add', name])
    await run('ip', ['netns', 'del', name])
    return null
  } catch (error) {
    return `network namespaces cannot be made: ${(error as Error).message.trim()}`
  }
}

/** Two networks, of the printer and of the viewer, and a line between them that can be spoilt. */
export class Net {
  readonly printer = `vigil-p-${process.pid}`
  readonly viewer = `vigil-v-${process.pid}`
  readonly #children = new Set<ChildProcess>()

  static async make(): Promise<Net> {
    const net = new Net()
    for (const name of [net.printer, net.viewer]) {
      await run('ip', ['netns', 'add', name])
      await run('ip', ['-n', name, 'link', 'set', 'lo', 'up'])
    }
    await run('ip', [
      '-n',
      net.printer,
      'link',
      'add',
      'vl0',
      'type',
      'veth',
      'peer',
      'name',
      'vv0',
      'netns',
      net.viewer,
    ])
    for (const [name, device, address] of [
      [net.printer, 'vl0', `${PRINTER_SIDE}/24`],
      [net.viewer, 'vv0', '10.99.0.2/24'],
    ] as const) {
      await run('ip', ['-n', name, 'addr', 'add', address, 'dev', device])
      await run('ip', ['-n', name, 'link', 'set', device, 'up'])
    }
    await net.#in('nft add table inet spoil')
    for (const chain of ['out', 'in'])
      await net.#in('nft add chain inet spoil', `${chain} { type filter hook ${chain}put priority 0; }`)
    return net
  }

  /** Lays lines from both networks to the machine's own, where the server is: a fan-out carries video over them. They go with the networks. */
  async reachServer(): Promise<void> {
    for (const [where, inside, net] of [
      [this.printer, 'vs0', 98],
      [this.viewer, 'vs1', 97],
    ] as const) {
      const outside = `vigil${net}-${process.pid % 100_000}`
      const ends = ['name', inside, 'type', 'veth', 'peer', 'name', outside]
      await run('ip', ['-n', where, 'link', 'add', ...ends, 'netns', String(process.pid)])
      await run('ip', ['-n', where, 'addr', 'add', `${sideOf(net, 2)}/30`, 'dev', inside])
      await run('ip', ['-n', where, 'link', 'set', inside, 'up'])
      await run('ip', ['addr', 'add', `${sideOf(net, 1)}/30`, 'dev', outside])
      await run('ip', ['link', 'set', outside, 'up'])
    }
  }

  /** Bytes that the printer has sent: to the viewer's network, and to the server's; and what the viewer was sent by the server. */
  async sent(): Promise<{ toViewer: number; toServer: number; fromServer: number }> {
    const over = async (where: string, name: string, way: 'tx' | 'rx') => {
      const { stdout } = await run('ip', ['-n', where, '-j', '-s', 'link', 'show', name])
      const [link] = JSON.parse(stdout) as Record<'stats64', Record<'tx' | 'rx', { bytes: number }>>[]
      return link?.stats64[way].bytes ?? 0
    }
    return {
      toViewer: await over(this.printer, 'vl0', 'tx'),
      toServer: await over(this.printer, 'vs0', 'tx'),
      fromServer: await over(this.viewer, 'vs1', 'rx'),
    }
  }

  /** Starts a program in one of the networks; it ends with the lab. */
  start(
    where: string,
    command: string,
    args: readonly string[],
    stdin: 'pipe' | 'ignore' = 'ignore',
  ): ChildProcess {
    const child = spawn('nice', [...FIRST, 'ip', 'netns', 'exec', where, command, ...args], {
      stdio: [stdin, 'pipe', 'pipe'],
    })
    this.#children.add(child)
    child.on('exit', () => this.#children.delete(child))
    child.stderr?.resume()
    child.stdin?.on('error', () => undefined)
    return child
  }

  /** Of what leaves the printer's network by UDP, so many in a hundred are lost. */
  async lose(percent: number): Promise<void> {
    await this.#drop('out', `oifname vl0 meta l4proto udp numgen random mod 100 < ${percent}`)
  }

  /** No UDP goes over the line, either way. */
  async blockUdp(): Promise<void> {
    await this.#drop('out', 'oifname vl0 meta l4proto udp')
    await this.#drop('in', 'iifname vl0 meta l4proto udp')
  }

  /** Janus and the viewer cannot reach each other but by the relay. */
  async blockDirect(): Promise<void> {
    await this.#drop('out', `oifname vl0 udp sport ${JANUS_PORTS}`)
    await this.#drop('in', `iifname vl0 udp dport ${JANUS_PORTS}`)
  }

  /** Nobody reaches the relay. */
  async blockRelay(): Promise<void> {
    for (const protocol of ['tcp', 'udp']) await this.#drop('in', `iifname vl0 ${protocol} dport 3478-3479`)
  }

  /** Nothing of the cameras comes to Janus any more. */
  async stopCameras(): Promise<void> {
    await this.#drop('in', 'iifname lo udp dport 17732-17735')
  }

  /** The printer's uplink carries no more, `1mbit`. */
  async narrow(rate: string): Promise<void> {
    await this.#in(`tc qdisc add dev vl0 root tbf rate ${rate} burst 16kb latency 400ms`)
  }

  /** The line is as good as new. */
  async mend(): Promise<void> {
    await this.#in('nft flush table inet spoil')
    await this.#in('tc qdisc del dev vl0 root').catch(() => undefined)
  }

  async end(): Promise<void> {
    await Promise.all(
      [...this.#children].map(async (child) => {
        const gone = once(child, 'exit')
        child.kill('SIGKILL')
        await gone
      }),
    )
    for (const name of [this.printer, this.viewer]) await run('ip', ['netns', 'del', name])
  }

  async #drop(chain: 'in' | 'out', what: string): Promise<void> {
    await this.#in(`nft add rule inet spoil ${chain} ${what} drop`)
  }

  /** Runs a program in the printer's network: its words, and one more that may have spaces. */
  async #in(command: string, last?: string): Promise<void> {
    const more = last === undefined ? [] : [last]
    await run('ip', ['netns', 'exec', this.printer, ...command.split(' '), ...more])
  }
}

/** Waits for a line of a program that holds these words. Raises an error when it ends before. */
export async function said(
  child: ChildProcess,
  words: string,
  stream: Readable | null = child.stdout,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const seen: string[] = []
  child.once('exit', (code) =>
    reject(new Error(`${child.spawnargs.join(' ')} ended with ${code}: ${seen.join('\n')}`)),
  )
  createInterface({ input: stream as Readable }).on('line', (line) => {
    seen.push(line)
    if (line.includes(words)) resolve()
  })
  await promise
}
