import { serialize } from 'bson'
import { once } from 'node:events'
import { inflateSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import captured from './fixtures/captured.json' with { type: 'json' }
import { vaseGcode } from './gcode.ts'
import { startSimulatedPrinter, type SimulatedPrinter, type SimulatorOptions } from './index.ts'
import { startStubServer, type StubServer } from './stub-server.ts'
import type { Json } from './types.ts'

/** A picture's worth of protocol in a few seconds: every wait is a twentieth, the machine prints 400 times as fast. */
const FAST: Partial<SimulatorOptions> = {
  timeScale: 20,
  speed: 400,
  handshakePort: 0,
  files: [{ path: 'sub/small.gcode', text: vaseGcode({ layers: 12, nozzle: 80, bed: 30 }) }],
}

let stub: StubServer
let printers: SimulatedPrinter[] = []

beforeEach(async () => {
  stub = await startStubServer()
})
afterEach(async () => {
  await Promise.all(printers.map((printer) => printer.stop()))
  printers = []
  await stub.stop()
})

function start(options: Partial<SimulatorOptions> = {}): SimulatedPrinter {
  const printer = startSimulatedPrinter({ server: stub.url, token: 'stubtoken', ...FAST, ...options })
  printers.push(printer)
  return printer
}

type Heaters = Record<string, { target: number | null }> | undefined

interface Told {
  current_print_ts?: number
  status?: Json & { state: { text: string; flags: Record<string, boolean> }; _ts: number }
  event?: { event_type: string }
  settings?: Json
  passthru?: Json
}

const told = (): Told[] => stub.messages.map(({ message }) => message as Told)
const events = (): string[] => told().flatMap((message) => (message.event ? [message.event.event_type] : []))
const hasText = (text: string) => () => told().some((message) => message.status?.state.text === text)
const posts = (path: string) => stub.calls.filter((call) => call.path.startsWith(path))
const reply = (ref: string): Json | undefined =>
  told()
    .map((message) => message.passthru)
    .find((item) => item?.ref === ref)
const call = (ref: string, target: string, func: string, more: Json = {}): void =>
  stub.send({ passthru: { ref, target, func, ...more } })

/** The keys of a value all the way down; what is null in either is left open by comparing only common parents. */
function missing(sample: unknown, actual: unknown, path = ''): string[] {
  if (typeof sample !== 'object' || !sample || typeof actual !== 'object' || !actual) return []
  if (Array.isArray(sample)) return missing(sample[0], (actual as unknown[])[0], `${path}[0]`)
  return Object.entries(sample).flatMap(([key, value]) =>
    key in actual ? missing(value, (actual as Json)[key], `${path}.${key}`) : [`${path}.${key}`],
  )
}

/** The order of texts, events and flags, as the fixtures have it. */
function sequence(from: number, onlyEvents = false): unknown[] {
  return told()
    .slice(from)
    .filter((message) => message.status && (!onlyEvents || message.event))
    .map(({ status, event, current_print_ts: ts }) => [
      status?.state.text,
      event?.event_type ?? null,
      ts === -1 ? 'idle' : 'print',
      Object.entries(status?.state.flags ?? {})
        .flatMap(([name, isSet]) => (isSet ? [name] : []))
        .toSorted(),
    ])
}

describe('coming in', () => {
  test('the handshake carries the token and no extension', async () => {
    start()
    await stub.until(() => stub.upgrades.length)
    const headers = stub.upgrades[0]?.headers
    expect(headers?.authorization).toBe('bearer stubtoken')
    expect(headers?.origin).toBe(stub.url)
    expect(headers?.['sec-websocket-extensions']).toBeUndefined()
    expect(headers?.['sec-websocket-protocol']).toBeUndefined()
    expect(stub.calls[0]?.path).toBe('/api/v1/octo/printer/')
    expect(stub.calls[0]?.headers.authorization).toBe('Token stubtoken')
    expect(stub.calls[0]?.headers['user-agent']).toMatch(/^python-requests\//)
  })

  test('the gate is tried until it opens', async () => {
    let refusals = 3
    stub.answer = (one) =>
      one.path.includes('octo/printer') && refusals-- > 0
        ? { status: 401, body: { detail: 'no' } }
        : undefined
    await start().ready
    expect(posts('/api/v1/octo/printer/')).toHaveLength(4)
  })

  test('Klipper first says {}, then settings without webcams, then the true ones with a status', async () => {
    start()
    await stub.until(() => told().some((message) => message.status))
    const [first, second, third, fourth] = told()
    expect(first).toEqual({})
    expect(missing(captured.klipper.firstMessages[1], second)).toEqual([])
    expect(second?.settings).toMatchObject({ webcams: null, data_channel_id: null })
    expect(third?.settings).toMatchObject({ webcams: null })
    expect(missing(captured.klipper.settings, fourth?.settings)).toEqual([])
    expect(missing(captured.klipper.idleStatus, fourth?.status)).toEqual([])
    expect(fourth?.current_print_ts).toBe(-1)
  })

  test('OctoPrint sends status and settings at once', async () => {
    start({ flavour: 'octoprint' })
    await stub.until(() => stub.messages.length)
    expect(
      missing(captured.octoprint.settings, told()[0]?.settings).filter((key) => !key.includes('temperature')),
    ).toEqual([])
    expect(told()[0]?.current_print_ts).toBe(-1)
  })
})

describe('linking', () => {
  test('a six-digit code is traded for the token', async () => {
    const printer = start({ token: undefined, code: '012345' })
    expect(await printer.ready).toBe('stubtoken00000000000')
    const verify = stub.calls[0]
    expect(verify).toMatchObject({ method: 'POST', path: '/api/v1/octo/verify/?code=012345' })
    expect(verify?.headers.authorization).toBeUndefined()
    expect(verify?.headers['content-length']).toBe('0')
  })

  test('a refused code is an error', async () => {
    stub.answer = (one) => (one.path.includes('verify') ? { status: 404, body: { detail: 'no' } } : undefined)
    await expect(start({ token: undefined, code: '999999' }).ready).rejects.toThrow(/refused/)
  })

  test('Klipper announces itself, shows the passcode and links when it was typed', async () => {
    let isTyped = false
    stub.answer = (one) =>
      one.path.includes('unlinked')
        ? {
            status: 200,
            body: {
              messages: [],
              one_time_passcode: 'ab1c2',
              one_time_passlink: 'l',
              verification_code: isTyped ? '123456' : '',
            },
          }
        : undefined
    const shown: string[] = []
    const printer = start({ token: undefined, onPasscode: (passcode) => shown.push(passcode) })
    await stub.until(() => posts('/api/v1/octo/unlinked/').length > 2)
    const [first, second] = posts('/api/v1/octo/unlinked/').map(
      (one) => JSON.parse(one.body.toString()) as Json,
    )
    expect(Object.keys(first ?? {}).toSorted()).toEqual(Object.keys(captured.klipper.announcement).toSorted())
    expect([first?.one_time_passcode, second?.one_time_passcode]).toEqual(['', 'ab1c2'])
    isTyped = true
    await printer.ready
    expect(shown).toEqual(['ab1c2'])
  })

  test.each(['klipper', 'octoprint'] as const)(
    '%s hands its secret to a browser nearby and links by the message',
    async (flavour) => {
      const announced = (): Json | undefined => {
        const one = posts('/api/v1/octo/unlinked/')[0]
        return one && (JSON.parse(one.body.toString()) as Json)
      }
      let queued: unknown[] = []
      stub.answer = (one) =>
        one.path.includes('unlinked') ? { status: 200, body: { messages: queued } } : undefined
      const printer = start({ token: undefined, flavour })
      await stub.until(announced)
      expect(Object.keys(announced() ?? {}).toSorted()).toEqual(
        Object.keys(captured[flavour].announcement).toSorted(),
      )
      const address = `http://127.0.0.1:${String(announced()?.port)}/plugin/obico/grab-discovery-secret?device_id=`
      expect((await fetch(`${address}wrong`)).status).toBe(403)
      const page = await fetch(address + String(announced()?.device_id))
      expect(await page.text()).toContain('window.opener.postMessage')
      const answer = await fetch(address + String(announced()?.device_id), {
        headers: { accept: 'application/json' },
      })
      const { device_secret: secret } = (await answer.json()) as { device_secret: string }
      expect(secret).toMatch(/^[0-9a-f]{64}$/)
      queued = [{ device_id: announced()?.device_id, type: 'verify_code', data: { code: '654321', secret } }]
      await printer.ready
      expect(posts('/api/v1/octo/verify/')[0]?.path).toContain('654321')
    },
  )

  test('two messages at once are both lost for Klipper', async () => {
    const message = { device_id: 'x', type: 'verify_code', data: { code: '1', secret: 'y' } }
    stub.answer = (one) =>
      one.path.includes('unlinked') ? { status: 200, body: { messages: [message, message] } } : undefined
    start({ token: undefined })
    await stub.until(() => posts('/api/v1/octo/unlinked/').length > 3)
    expect(posts('/api/v1/octo/verify/')).toHaveLength(0)
  })
})

describe('a print', () => {
  test.each(['klipper', 'octoprint'] as const)('%s tells a whole print with its file', async (flavour) => {
    const printer = start({ flavour })
    await stub.until(() => told().some((message) => message.status))
    expect(printer.startPrint()).toBe(true)
    await stub.until(() => events().includes('PrintDone') && told().at(-1)?.current_print_ts === -1, 12_000)
    const begun = told().find((message) => message.event?.event_type === 'PrintStarted')
    expect(missing(captured[flavour].printStarted, begun)).toEqual([])
    expect(begun?.status).toMatchObject({
      job: { file: { name: 'small.gcode', path: 'sub/small.gcode', obico_g_code_file_id: 55 } },
    })
    const registered = posts('/api/v1/octo/g_code_files/')[0]
    expect([...new URLSearchParams(registered?.body.toString()).keys()]).toEqual([
      ...new URLSearchParams(captured[flavour].gCodeFile).keys(),
    ])
    const done = told().find((message) => message.event?.event_type === 'PrintDone')
    expect(done?.current_print_ts).toBe(begun?.current_print_ts)
    expect(done?.status).toMatchObject({ progress: { completion: 100 } })
    if (flavour === 'octoprint') expect(sequence(0, true)).toEqual(captured.octoprint.wholePrint)
    else expect(events()).toEqual(['PrintStarted', 'PrintDone'])
  })

  test('is made again and again in a loop, but none that somebody else began', async () => {
    const [first] = FAST.files ?? []
    const other = { path: 'other.gcode', text: first?.text ?? '' }
    const printer = start({ loop: true, files: [...(first ? [first] : []), other] })
    await stub.until(() => told().some((message) => message.status))
    const begun = () => events().filter((event) => event === 'PrintStarted').length
    printer.startPrint()
    await stub.until(() => begun() === 2, 12_000)
    await stub.until(() => printer.cancel(), 12_000)
    await stub.until(() => told().at(-1)?.current_print_ts === -1, 12_000)
    await stub.until(() => printer.startPrint(other.path), 12_000)
    await stub.until(() => events().at(-1) === 'PrintDone' && told().at(-1)?.current_print_ts === -1, 12_000)
    const from = stub.messages.length
    await stub.until(() => stub.messages.length > from + 6, 12_000)
    expect(begun()).toBe(3)
  })

  test.each(['klipper', 'octoprint'] as const)(
    '%s obeys pause, resume and cancel in the captured order',
    async (flavour) => {
      const printer = start({ flavour, speed: 60, statusEverySeconds: 60 })
      await stub.until(() => told().some((message) => message.status))
      printer.startPrint()
      await stub.until(() => printer.layer > 1, 12_000)
      await stub.until(hasText('Printing'))
      let from = stub.messages.length
      stub.send({ commands: [{ cmd: 'pause', args: { retract: 6.5, lift_z: 2.5 } }] })
      await stub.until(hasText('Paused'))
      stub.send({ commands: [{ cmd: 'resume', args: {} }] })
      await stub.until(
        () => events().includes('PrintResumed') && told().at(-1)?.status?.state.text === 'Printing',
      )
      expect(sequence(from, flavour === 'octoprint')).toEqual(captured[flavour].pauseAndResume)
      from = stub.messages.length
      stub.send({ commands: [{ cmd: 'cancel', args: {} }] })
      await stub.until(() => told().at(-1)?.current_print_ts === -1)
      const seen = sequence(from, flavour === 'octoprint')
      const want =
        flavour === 'octoprint'
          ? captured.octoprint.cancel
          : [['Cancelling', null, 'print', ['operational']], ...captured.klipper.cancel.slice(0, 3)]
      expect(seen.slice(0, want.length)).toEqual(want)
    },
  )

  test('OctoPrint told to pause while it heats heats on, then pauses, and turns its hotend off', async () => {
    const printer = start({ flavour: 'octoprint', speed: 40, statusEverySeconds: 1 })
    const targets = () => told().map(({ status }) => (status?.temperatures as Heaters)?.tool0?.target)
    await stub.until(() => told().some((message) => message.status))
    printer.startPrint()
    await stub.until(hasText('Printing'))
    await stub.until(() => targets().includes(80))
    const from = told().length
    stub.send({ commands: [{ cmd: 'pause', args: { retract: 0, lift_z: 0, tools_off: true } }] })
    await stub.until(hasText('Paused'), 20_000)
    const said = told().slice(from)
    const before = said.findIndex(({ status }) => status?.state.text === 'Paused')
    expect(new Set(targets().slice(from, from + before - 1))).toEqual(new Set([80]))
    expect(targets().at(from + before)).toBe(0)
    stub.send({ commands: [{ cmd: 'resume', args: {} }] })
    await stub.until(() => targets().at(-1) === 80)
  })

  test('without a record of the file Klipper never says PrintStarted', async () => {
    stub.answer = (one) => (one.path.includes('g_code_files') ? { status: 500, body: {} } : undefined)
    const printer = start()
    await stub.until(() => told().some((message) => message.status))
    printer.startPrint()
    await stub.until(() =>
      told().some(
        (message) => (message.current_print_ts ?? -1) > 0 && message.status?.state.text === 'Printing',
      ),
    )
    await stub.until(() => events().includes('PrintDone'), 12_000)
    expect(events()).toEqual(['PrintDone'])
  })

  test('print from cloud: downloaded, identified, printed', async () => {
    stub.answer = (one) =>
      one.path.startsWith('/files/') ? { status: 200, body: vaseGcode({ layers: 3 }) } : undefined
    start({ speed: 1 })
    await stub.until(() => told().some((message) => message.status))
    call('d1', 'file_downloader', 'download', {
      args: [
        { id: 100, url: `${stub.url}/files/x`, filename: 'my ring.gcode', safe_filename: 'my_ring.gcode' },
      ],
    })
    await stub.until(() => events().includes('PrintStarted'))
    expect(reply('d1')).toEqual({ ref: 'd1', ret: { target_path: 'my ring.gcode' } })
    const begun = told().find((message) => message.event?.event_type === 'PrintStarted')
    expect(begun?.status?.state).toMatchObject({
      text: 'G-Code Downloading',
      flags: captured.klipper.printStarted.status.state.flags,
    })
    expect(stub.calls.find((one) => one.method === 'PATCH')?.path).toBe('/api/v1/octo/g_code_files/100/')
    const order = stub.calls.filter((one) => /files/.test(one.path)).map((one) => one.method)
    expect(order).toEqual(['GET', 'PATCH', 'POST'])
    call('d2', 'file_downloader', 'download', {
      args: [{ id: 1, url: 'x', filename: 'b', safe_filename: 'b' }],
    })
    await stub.until(() => reply('d2'))
    expect(reply('d2')).toEqual({ ref: 'd2', error: 'Printer busy!' })
  })

  test('a Klipper that shuts down says {} each second and forgets its print', async () => {
    const printer = start({ speed: 20 })
    await stub.until(() => told().some((message) => message.status))
    printer.startPrint()
    await stub.until(hasText('Printing'))
    printer.setPower(false)
    const from = stub.messages.length
    await stub.until(() => stub.messages.length > from + 4)
    expect(
      told()
        .slice(from + 1)
        .every((message) => Object.keys(message).length === 0),
    ).toBe(true)
    printer.setPower(true)
    await stub.until(() => told().at(-1)?.current_print_ts === -1)
  })

  test('the print after a Klipper that shut down in mid-print has the key of the lost one, the one after that its own', async () => {
    const printer = start({ speed: 2000 })
    const key = async () => {
      const from = stub.messages.length
      printer.startPrint()
      const started = () =>
        told()
          .slice(from)
          .find(({ event }) => event?.event_type === 'PrintStarted')
      await stub.until(started)
      return started()?.current_print_ts
    }
    await stub.until(() => told().some((message) => message.status))
    // as if it had begun a while ago
    printer.clockSkew(-600)
    const lost = await key()
    printer.clockSkew(0)
    printer.setPower(false)
    await stub.until(() => Object.keys(told().at(-1) ?? {}).length === 0)
    printer.setPower(true)
    await stub.until(() => told().at(-1)?.current_print_ts === -1)
    expect(await key()).toBe(lost)
    await stub.until(() => events().includes('PrintDone') && told().at(-1)?.current_print_ts === -1)
    expect(await key()).not.toBe(lost)
  })
})

describe('pictures', () => {
  const sent = () => posts('/api/v1/octo/pic/')
  const boosted = (text: string) => () => sent().filter((one) => one.body.includes(text)).length

  test('viewing gives three boosts at once, each as the agent builds it', async () => {
    start()
    await stub.until(() => stub.messages.length)
    stub.send({ remote_status: { viewing: true, should_watch: false } })
    await stub.until(() => sent().length >= 3)
    const text = sent()[0]?.body.toString('latin1') ?? ''
    const parts = text.split(/\r\n--|--\r\n/).filter((part) => part.includes('Content-Disposition'))
    expect(parts.map((part) => /Content-Disposition.*/.exec(part)?.[0].trim())).toEqual(
      captured.klipper.picParts.map((part) => part.split(' = ')[0]),
    )
    expect(text).not.toMatch(/Content-Type/)
    expect(text).toContain('name="viewing_boost"\r\n\r\nTrue\r\n')
    expect(text).toContain('name="is_nozzle_camera"\r\n\r\nFalse\r\n')
    expect(sent()).toHaveLength(3)
  })

  test('OctoPrint names the boost only when it is one', async () => {
    const printer = start({ flavour: 'octoprint', speed: 20 })
    await stub.until(() => stub.messages.length)
    stub.send({ remote_status: { viewing: true } })
    await stub.until(() => boosted('name="viewing_boost"\r\n\r\ntrue')() === 3)
    printer.startPrint()
    await stub.until(() => sent().length > 3)
    expect(sent()[3]?.body.includes('viewing_boost')).toBe(false)
  })

  test('ten seconds apart when watched, two minutes when not', async () => {
    const printer = start({ speed: 5, timeScale: 50 })
    await stub.until(() => stub.messages.length)
    stub.send({ remote_status: { viewing: false, should_watch: false } })
    printer.startPrint()
    await stub.until(() => sent().length >= 2)
    // Two minutes are 2.4 s here, ten seconds 0.2.
    expect((sent()[1]?.at ?? 0) - (sent()[0]?.at ?? 0)).toBeGreaterThan(1500)
    stub.send({ remote_status: { should_watch: true } })
    // One by itself may be late, the first among them, and the next seem early: on the whole they keep their time.
    const INTERVALS = 20
    await stub.until(() => sent().length >= INTERVALS + 3)
    const [first, last] = [sent()[2]?.at ?? 0, sent()[INTERVALS + 2]?.at ?? 0]
    expect((last - first) / INTERVALS).toBeLessThan(1500)
    expect((last - first) / INTERVALS).toBeGreaterThan(120)
  })
})

describe('calls', () => {
  test('Klipper answers as captured and says no to what it does not know', async () => {
    const printer = start()
    await stub.until(() => told().some((message) => message.status))
    call('a', '_printer', 'jog', { args: [{ x: 10 }] })
    call('a', '_printer', 'jog', { args: [{ x: 10 }] })
    call('b', 'moonraker_api', 'printer/gcode/script', { kwargs: { verb: 'post', script: 'M115' } })
    call('c', 'moonraker_api', 'printer/objects/query?gcode_move')
    call('d', 'nosuch', 'x')
    call('e', 'moonraker_api', 'server/files/directory', { kwargs: { path: 'gcodes/sub', extended: true } })
    call('f', 'moonraker_api', 'no/such')
    call('g', 'moonraker_api', 'machine/device_power/device?device=printer&action=off', {
      kwargs: { verb: 'post' },
    })
    call('i', 'moonraker_api', 'machine/device_power/device?device=printer&action=on')
    call('j', 'moonraker_api', 'printer/print/start', { kwargs: { filename: 'sub/small.gcode' } })
    call('h', 'jpeg_poster', 'web_snapshot_request', { args: ['http://x'] })
    await stub.until(() => reply('h'))
    expect(told().filter((message) => message.passthru?.ref === 'a')).toHaveLength(1)
    expect(reply('a')).toEqual({ ref: 'a', ret: null })
    expect(reply('b')).toEqual({ ref: 'b', ret: { result: 'ok' } })
    expect(told().some((message) => (message.passthru?.terminal_feed as Json | undefined)?.msg)).toBe(true)
    expect(reply('c')).toMatchObject({ ret: { status: { gcode_move: { gcode_position: [10, 0, 0, 0] } } } })
    expect(String(reply('d')?.error)).toMatch(/^Request not supported/)
    expect(reply('e')).toMatchObject({ ret: { files: [{ filename: 'small.gcode' }] } })
    expect(reply('f')).toEqual({ ref: 'f', error: 'Error in calling "no/such" - "get"' })
    expect(reply('g')).toMatchObject({ ret: { result: { printer: 'off' } } })
    expect(reply('i'), 'asked by GET it only tells how it stands').toEqual({
      ref: 'i',
      ret: { printer: 'off' },
    })
    expect(reply('j')?.error).toBe('Error in calling "printer/print/start" - "get"')
    expect(printer.state).toBe('offline')
  })

  test('OctoPrint answers what the plugin has and keeps silent on the rest', async () => {
    const printer = start({ flavour: 'octoprint' })
    await stub.until(() => stub.messages.length)
    stub.send({ remote_status: { viewing: true } })
    call('a', 'nosuch', 'x')
    call('b', 'gcode_hooks', 'toggle_terminal_feed', { args: ['on'] })
    call('c', '_printer', 'commands', { args: ['M105'] })
    call('d', '_file_manager', 'list_files', { kwargs: { path: '', recursive: false, level: 1 } })
    call('e', '_file_manager', 'list_files', { kwargs: { filter: 'SMALL', recursive: true } })
    call('f', '_printer', 'get_connection_options')
    call('g', '_printer', 'select_file', { args: [['sub/small.gcode', null], { printAfterSelect: 'true' }] })
    await stub.until(() => reply('g'))
    expect(reply('a')).toBeUndefined()
    expect(reply('b')).toEqual({ ref: 'b', ret: true })
    expect(told().filter((message) => message.passthru?.terminal_feed)).toHaveLength(2)
    expect(reply('d')).toMatchObject({ ret: { local: { sub: { type: 'folder' } } } })
    expect(reply('e')).toMatchObject({
      ret: { local: { sub: { children: { 'small.gcode': { path: 'sub/small.gcode' } } } } },
    })
    expect(reply('f')).toMatchObject({ ret: { ports: expect.any(Array) as unknown } })
    expect(printer.state).not.toBe('operational')
  })

  test('OctoPrint finds no serial port while the cable is out', async () => {
    const printer = start({ flavour: 'octoprint' })
    await stub.until(() => stub.messages.length)
    printer.plug(false)
    call('a', '_printer', 'get_connection_options')
    call('b', '_printer', 'connect', { args: [null, null] })
    await stub.until(() => reply('b'))
    expect(reply('a')).toMatchObject({ ret: { ports: [] } })
    expect(printer.state).toBe('offline')
    printer.plug(true)
    expect(printer.state).toBe('operational')
  })

  test('an error is a toast each time and an upload once', async () => {
    const printer = start()
    await stub.until(() => stub.messages.length > 2)
    printer.reportError("!! MCU 'mcu' shutdown: Timer too close")
    printer.reportError("!! MCU 'mcu' shutdown: Timer too close")
    await stub.until(() => posts('/api/v1/octo/printer_events/').length)
    const toasts = told().filter((message) => message.passthru?.printer_event)
    expect(toasts).toHaveLength(2)
    expect(toasts[0]).toEqual(captured.klipper.printerEvent)
    const body = posts('/api/v1/octo/printer_events/')[0]?.body.toString('latin1') ?? ''
    expect(body.match(/Content-Disposition[^\r]*/g)).toEqual(captured.klipper.printerEventParts)
    expect(posts('/api/v1/octo/printer_events/')).toHaveLength(1)
  })
})

describe('tunnel', () => {
  const tunnelled = (ref: string) => {
    const found = stub.messages.find(
      ({ message }) => (message['http.tunnelv2'] as Json | undefined)?.ref === ref,
    )
    return (
      found && {
        isBinary: found.isBinary,
        response: (found.message['http.tunnelv2'] as { response: Json }).response,
      }
    )
  }
  const ask = (ref: string, more: Json): void =>
    stub.sockets.at(-1)?.send(
      serialize({
        'http.tunnelv2': { ref, method: 'get', path: '/', headers: {}, data: null, ...more },
        as_binary: true,
      }),
    )

  test('answers in BSON, compressed from 1000 bytes on, errors as text, unknown keys not at all', async () => {
    start()
    await stub.until(() => stub.messages.length)
    ask('1', { path: '/bytes?n=5000' })
    ask('2', { path: '/login' })
    ask('3', { method: 'brew' })
    ask('4', { extra: 1 })
    ask('5', { path: '/server/info' })
    await stub.until(() => tunnelled('5'))
    expect(tunnelled('1')).toMatchObject({ isBinary: true, response: { status: 200, compressed: true } })
    expect(inflateSync(tunnelled('1')?.response.content as Buffer)).toHaveLength(5000)
    expect(tunnelled('2')?.response.cookies).toHaveLength(2)
    expect(tunnelled('3')?.response).toMatchObject({ status: 502, headers: {} })
    expect(typeof tunnelled('3')?.response.content).toBe('string')
    expect(tunnelled('4')).toBeUndefined()
  })

  test('opening a websocket holds the reader for a second', async () => {
    start({ timeScale: 4 })
    await stub.until(() => stub.messages.length)
    const from = Date.now()
    stub.send({ 'ws.tunnel': { ref: 'w', data: null, path: '/websocket', type: 'connect' } })
    ask('6', { path: '/server/info' })
    await stub.until(() => tunnelled('6'))
    expect(Date.now() - from).toBeGreaterThan(240)
    stub.send({
      'ws.tunnel': {
        ref: 'w',
        data: '{"method":"server.info","id":1}',
        path: '/websocket',
        type: 'tunnel_message',
      },
    })
    await stub.until(() =>
      stub.messages.some(
        ({ message }) => (message['ws.tunnel'] as Json | undefined)?.type === 'octoprint_message',
      ),
    )
  })
})

describe('trouble', () => {
  test('it comes back only when it has something to say', async () => {
    const printer = start({ statusEverySeconds: 0.5 })
    await stub.until(() => told().some((message) => message.status))
    printer.dropSocket()
    await stub.until(() => stub.sockets.length === 2)
    expect(told().some((message) => message.settings)).toBe(true)
  })

  test('a refused connection costs the penalty, and the message that asked for it', async () => {
    stub.accepts = false
    const began = Date.now()
    const printer = start({ reconnectPenaltyMs: 1500, statusEverySeconds: 0.05 })
    await stub.until(() => stub.upgrades.length === 1)
    stub.accepts = true
    await stub.until(() => stub.messages.length)
    expect(stub.upgrades).toHaveLength(2)
    expect(told().some((message) => Object.keys(message).length === 0)).toBe(false)
    const notes = printer.events.filter(({ message }) => message.note === 'connection attempt failed')
    expect(notes).toHaveLength(1)
    // counted from when the attempt began, however late its end was noticed
    const open = printer.events.find(({ message }) => message.note === 'websocket open')
    expect((open?.at ?? 0) - began).toBeGreaterThanOrEqual(1500)
  })

  test('the queue holds fifty and drops the newest', async () => {
    stub.accepts = false
    const printer = start({ reconnectPenaltyMs: 2500, statusEverySeconds: 0.01, timeScale: 50 })
    await stub.until(() =>
      printer.events.some((event) => event.message.note === 'queue full, message dropped'),
    )
    stub.accepts = true
    await stub.until(() => stub.messages.length >= 40)
    const stamps = told().flatMap((message) => (message.status ? [message.status._ts] : []))
    expect(stamps.slice(0, 40)).toEqual(stamps.slice(0, 40).toSorted((a, b) => a - b))
    expect(Date.now() / 1000 - (stamps[0] ?? 0)).toBeGreaterThan(1)
  })

  test('after 4321 it reconnects once, says one thing and is dumb, but still obeys', async () => {
    const printer = start({ statusEverySeconds: 0.1 })
    await stub.until(() => told().some((message) => message.status))
    stub.sockets[0]?.close(4321)
    await stub.until(() => printer.hasGoneSilent)
    stub.sockets[1]?.ping()
    await once(stub.sockets[1]!, 'pong')
    const count = stub.messages.length
    call('z', '_printer', 'set_temperature', { args: ['extruder', 180] })
    // Pictures do not go over the socket.
    stub.send({ remote_status: { viewing: true } })
    await stub.until(() => posts('/api/v1/octo/pic/').length >= 3)
    expect(stub.messages).toHaveLength(count)
    expect(stub.sockets).toHaveLength(2)
    expect(printer.isConnected).toBe(true)
  })

  test.each([
    ['octoprint', true],
    ['klipper', false],
  ] as const)(
    'after a goodbye %s comes back, and leaves its old connection open: %s',
    async (flavour, leaves) => {
      const printer = start({ flavour, statusEverySeconds: 0.2 })
      await stub.until(() => stub.sockets.length === 1)
      let hasEnded = false
      stub.tcp[0]?.on('end', () => (hasEnded = true))
      stub.sockets[0]?.close(1001)
      await stub.until(() => stub.sockets.length === 2)
      await printer.waitFor(({ message }) => message.note === 'websocket closed' && message.code === 1001)
      if (leaves) expect([hasEnded, stub.tcp[0]?.destroyed]).toEqual([false, false])
      else await stub.until(() => hasEnded || stub.tcp[0]?.destroyed)
    },
  )

  test('a lost network is half-open: no pong, no close, and all of it later', async () => {
    const printer = start({ statusEverySeconds: 0.1 })
    await stub.until(() => told().some((message) => message.status))
    let pongs = 0
    stub.sockets[0]?.on('pong', () => (pongs += 1))
    stub.sockets[0]?.ping()
    await stub.until(() => pongs === 1)
    const lost = printer.loseNetwork(700)
    // What was on its way has come when another call was answered.
    await fetch(stub.url)
    const count = stub.messages.length
    stub.sockets[0]?.ping()
    await lost
    expect([pongs, stub.messages.length, stub.sockets[0]?.readyState]).toEqual([1, count, 1])
    await stub.until(() => pongs === 2 && stub.messages.length > count + 2)
  })

  test('a clock that is wrong shows in every stamp', async () => {
    const printer = start({ statusEverySeconds: 0.1 })
    printer.clockSkew(86_400)
    await stub.until(() => told().some((message) => message.status))
    expect(told().at(-1)?.status?._ts).toBeGreaterThan(Date.now() / 1000 + 86_000)
  })

  test.each(['klipper', 'octoprint'] as const)('%s restarted in the middle of a print', async (flavour) => {
    const printer = start({ flavour, speed: 20, statusEverySeconds: 0.2 })
    await stub.until(() => told().some((message) => message.status))
    printer.startPrint()
    await stub.until(hasText('Printing'))
    const ts = told().at(-1)?.current_print_ts
    await printer.restartAgent(1)
    await stub.until(() => stub.sockets.length === 2)
    const from = stub.messages.length
    await stub.until(() =>
      told()
        .slice(from)
        .some((message) => message.status),
    )
    const last = told().at(-1)
    const isKlipper = flavour === 'klipper'
    expect(printer.state).toBe(isKlipper ? 'printing' : 'operational')
    expect(last?.status?.state.text).toBe(isKlipper ? 'Printing' : 'Operational')
    expect(last?.current_print_ts).toBe(isKlipper ? ts : -1)
    if (isKlipper) expect(events()).toEqual(['PrintStarted'])
  })

  test('a killed agent is gone', async () => {
    const printer = start()
    await stub.until(() => stub.messages.length)
    const gone = new Promise((resolve) => stub.sockets[0]?.on('close', resolve))
    printer.kill()
    expect(await gone).toBe(1006)
  })
})
