import { describe, expect, it } from 'vitest'
import { driverOf } from './driver-of.ts'
import { agentCan } from './versions.ts'

const octoprint = driverOf({ agent_name: 'octoprint_obico' })
const klipper = driverOf({ agent_name: 'moonraker_obico' })
const commands = (...lines: string[]) => ({ target: '_printer', func: 'commands', args: [lines] })
const script = (text: string) => ({
  target: 'moonraker_api',
  func: 'printer/gcode/script',
  kwargs: { script: text },
})

describe('which driver', () => {
  it('goes by the agent; a nameless one is an old OctoPrint plugin', () => {
    expect(octoprint.kind).toBe('octoprint')
    expect(klipper.kind).toBe('klipper')
    expect(driverOf({ agent_name: null }).kind).toBe('octoprint')
  })
})

describe.each([octoprint, klipper])('$kind moves and heats by the words both agents know', (driver) => {
  it.each([
    ['jog', driver.jog('x', -10), [{ x: -10 }]],
    ['home', driver.home(['x', 'y']), [['x', 'y']]],
    ['set_temperature', driver.setTemperature('tool0', 215), ['tool0', 215]],
  ])('%s', (func, call, args) => {
    expect(call).toEqual({ target: '_printer', func, args })
  })
})

describe.each([octoprint, klipper])('$kind prints a file once more', (driver) => {
  const file = { id: 1, url: 'sub/a.gcode', filename: 'a', safe_filename: 'a', agent_signature: 'md5:1' }

  it('by its record', () => {
    expect(driver.reprint.start(file)).toEqual({
      target: 'file_operations',
      func: 'start_printer_local_print',
      args: [file],
    })
    expect(driver.reprint.refusal('Success')).toBeNull()
    expect(driver.reprint.refusal(null)).toBeNull()
  })
})

describe('OctoPrint', () => {
  it('refuses a file in an answer that is none', () => {
    expect(octoprint.reprint.refusal({ error: 'File has been modified!' })).toBe('File has been modified!')
  })

  it.each([
    [octoprint.extrude(10, null), ['M83', 'G1 E10 F300', 'M82']],
    [octoprint.extrude(-50, 1), ['T1', 'M83', 'G1 E-50 F300', 'M82']],
    [octoprint.fan(0), ['M107']],
    [octoprint.fan(50), ['M106 S128']],
    [octoprint.fan(100), ['M106 S255']],
    [octoprint.speed(110), ['M220 S110']],
    [octoprint.flow(95), ['M221 S95']],
    [octoprint.steppersOff(), ['M18']],
    [octoprint.display(''), ['M117']],
  ])('sends lines: %j', (call, lines) => {
    expect(call).toEqual(commands(...lines))
  })

  it('forces what is typed in the terminal, in capitals', () => {
    expect(octoprint.send(octoprint.spell(' g28 x '))).toEqual({ ...commands('G28 X'), force: true })
  })

  it('turns the feed on, off, and asks how it stands', () => {
    expect(octoprint.feed?.('get')).toEqual({
      target: 'gcode_hooks',
      func: 'toggle_terminal_feed',
      args: ['get'],
    })
  })

  it('connects; null lets it find out', () => {
    expect(octoprint.connection?.options()).toEqual({
      target: '_printer',
      func: 'get_connection_options',
      args: [],
    })
    expect(octoprint.connection?.connect(null, 115_200)).toMatchObject({
      func: 'connect',
      args: [null, 115_200],
    })
    const said = { ports: ['/dev/ttyUSB0', 7], baudrates: [250_000, '115200'], portPreference: 'gone' }
    expect(octoprint.connection?.read(said)).toEqual({
      ports: ['/dev/ttyUSB0'],
      baudrates: [250_000, 115_200],
      port: null,
      baudrate: null,
    })
    expect(octoprint.connection?.read(null)).toMatchObject({ ports: [], baudrates: [] })
  })

  it('has no power devices, and no baby steps that could not be read back', () => {
    expect(octoprint.power).toBeNull()
    expect(octoprint.babyStep).toBeNull()
  })
})

describe('Klipper', () => {
  it.each([
    [
      klipper.extrude(-1, null),
      'SAVE_GCODE_STATE NAME=vigil_extrude\nM83\nG1 E-1 F300\nRESTORE_GCODE_STATE NAME=vigil_extrude',
    ],
    [klipper.fan(33), 'M106 S84'],
    [klipper.speed(100), 'M220 S100'],
    [klipper.flow(1), 'M221 S1'],
    [klipper.babyStep!.move(0.05), 'SET_GCODE_OFFSET Z_ADJUST=0.05 MOVE=1'],
    [klipper.steppersOff(), 'M18'],
    [klipper.display(''), 'SET_DISPLAY_TEXT'],
    [klipper.send('G28'), 'G28'],
  ])('sends a script: %j', (call, text) => {
    expect(call).toEqual(script(text))
  })

  it('writes words in capitals and leaves names as they are', () => {
    expect(klipper.spell('g1 x10')).toBe('G1 X10')
    expect(klipper.spell('set_heater_temperature heater=extruder target=20')).toBe(
      'SET_HEATER_TEMPERATURE HEATER=extruder TARGET=20',
    )
    expect(klipper.spell('respond msg="Hello there" x')).toBe('RESPOND MSG="Hello there" X')
  })

  it('reads the offset back', () => {
    expect(klipper.babyStep?.offset()).toEqual({
      target: 'moonraker_api',
      func: 'printer/objects/query?gcode_move',
    })
    expect(klipper.babyStep?.read({ status: { gcode_move: { homing_origin: [0, 0, 0.125, 0] } } })).toBe(
      0.125,
    )
    expect(klipper.babyStep?.read({ status: {} })).toBeNull()
    expect(klipper.babyStep?.read('odd')).toBeNull()
  })

  it('lists and switches power devices', () => {
    expect(klipper.power?.list()).toEqual({ target: 'moonraker_api', func: 'machine/device_power/devices' })
    expect(klipper.power?.set('LED strip no.2', true)).toEqual({
      target: 'moonraker_api',
      func: 'machine/device_power/device?device=LED%20strip%20no%2E2&action=on',
      kwargs: { verb: 'post' },
    })
    const ret = { devices: [{ device: 'psu', status: 'on', locked_while_printing: true }, { odd: 1 }] }
    expect(klipper.power?.read(ret)).toEqual([{ device: 'psu', on: true, lockedWhilePrinting: true }])
    expect(klipper.power?.read(null)).toEqual([])
  })
})

describe('what an agent is new enough for', () => {
  it.each([
    ['octoprint_obico', '2.3.10', 'terminal', false],
    ['octoprint_obico', '2.3.11', 'terminal', true],
    ['moonraker_obico', '1.4.4', 'terminal', true],
    ['moonraker_obico', '9.0', 'terminalToggle', false],
    ['octoprint_obico', '2.4.7', 'terminalToggle', true],
    ['octoprint_obico', '2.3.99', 'reprint', false],
    ['octoprint_obico', '2.4.0', 'reprint', true],
    ['moonraker_obico', '1.4.2', 'reprint', false],
    ['moonraker_obico', '1.4.3', 'reprint', true],
    ['something_else', '9.0', 'terminal', false],
    [null, null, 'terminal', false],
  ] as const)('%s %s %s: %s', (agent_name, agent_version, ability, can) => {
    expect(agentCan({ agent_name, agent_version }, ability)).toBe(can)
  })
})

describe('a single picture of a camera', () => {
  const still = klipper.still!

  it('is asked for at the address that Moonraker tells, made whole', () => {
    expect(octoprint.still).toBeNull()
    expect(still.cameras()).toEqual({ target: 'moonraker_api', func: 'server/webcams/list' })
    const webcams = [
      { name: 'front', snapshot_url: '/webcam/?action=snapshot' },
      { name: 'top', snapshot_url: 'http://10.0.0.9:8080/shot.jpg' },
      { name: 'odd', snapshot_url: 'file:///etc/passwd' },
      { name: 'none' },
    ]
    expect(still.addresses({ webcams })).toEqual([
      { name: 'front', address: 'http://127.0.0.1/webcam/?action=snapshot' },
      { name: 'top', address: 'http://10.0.0.9:8080/shot.jpg' },
    ])
    for (const told of [null, {}, { webcams: 'none' }]) expect(still.addresses(told)).toEqual([])
    for (const { snapshot } of [klipper, octoprint])
      expect(snapshot.shoot('http://x/a')).toEqual({
        target: 'jpeg_poster',
        func: 'web_snapshot_request',
        args: ['http://x/a'],
      })
  })

  it('is shown only when it is a JPEG', () => {
    const { picture } = klipper.snapshot
    expect(picture({ pic: '/9j/4AAQSk==' })).toBe('data:image/jpeg;base64,/9j/4AAQSk==')
    for (const pic of ['<svg>', 'iVBORw0KGgo=', '/9j/"onload=', 7, undefined])
      expect(picture({ pic })).toBeNull()
    expect(picture(null)).toBeNull()
  })
})
