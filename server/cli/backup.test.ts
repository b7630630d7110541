import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runningPid } from '../engines/db/cluster.ts'
import { tinyModelFolder } from '../engines/inference/fixtures/tiny.ts'
import { outcomeOf, startVigil, use } from './cli.fixture.ts'

const above = mkdtempSync(join(tmpdir(), 'vigil-cli-backup-'))
const [one, other] = [join(above, 'one'), join(above, 'other')]
afterAll(() => rmSync(above, { recursive: true, force: true }))

const env = { DETECTOR_MODEL_FOLDER: tinyModelFolder() }
const start = (args: string[], dataFolder: string) => startVigil(args, { dataFolder, env })
const asProcess = (args: string[], dataFolder: string) => outcomeOf(start(args, dataFolder))
const vigil = (args: string[], dataFolder = one, input = '') => use(args, dataFolder, { input })

test.each([
  [['backup', 'here'], /takes no words/],
  [['backup', '--into', 'x'], /--into/],
  [['backup', 'whole', '--to', 'x'], /whole backups go to BACKUP_TO/],
  [['backup', 'list', 'x'], /takes no words/],
  [['restore'], /Name one backup/],
  [['restore', 'a', 'b'], /Name one backup/],
])('%j is wrong use', async (args, sentence) => {
  const { code, err, out } = await use(args)
  expect(err).toMatch(sentence)
  expect({ code, out }).toEqual({ code: 2, out: '' })
})

test('both have help', async () => {
  for (const name of ['backup', 'restore']) {
    const { code, out } = await use([name, '--help'])
    expect(code).toBe(0)
    expect(out).toContain(`./vigil ${name}`)
  }
})

test('without a server: a new database has nothing to back up, a filled one moves to another folder', async () => {
  expect(await vigil(['backup'])).toMatchObject({ code: 1, err: expect.stringMatching(/nothing to back up/) })
  await vigil(['user', 'add', 'ann@example.org', '--password-stdin'], one, 'correct horse battery')
  const made = await asProcess(['backup', '--json'], one)
  expect(made).toMatchObject({ code: 0, err: '' })
  const { file, rows } = JSON.parse(made.out) as { file: string; rows: number }
  expect(file).toMatch(/one\/backups\/vigil-\d{4}-\d\d-\d\dT\d\d-\d\d\.vbk$/)
  expect(statSync(join(one, 'backups')).mode & 0o777).toBe(0o700)

  const damaged = join(above, 'damaged.vbk')
  writeFileSync(damaged, readFileSync(file).subarray(0, -1))
  expect(await vigil(['restore', damaged], other)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^vigil: This backup is damaged/),
  })
  const restored = await asProcess(['restore', file, '--json'], other)
  expect(restored).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(restored.out)).toMatchObject({ file, rows })
  expect((await vigil(['user', 'list'], other)).out).toMatch(/ann@example\.org/)
  expect(await vigil(['restore', file], other)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/not empty \(there are rows in \w+\)/),
  })
  for (const folder of [one, other]) expect(runningPid(join(folder, 'pg'))).toBe(null)
  expect(existsSync(join(other, 'run/keeper.pid'))).toBe(false)
})

test('a whole backup comes back on another machine: rows, files and the key', async () => {
  const [usb, machine] = [join(above, 'usb'), join(above, 'machine')]
  mkdirSync(usb)
  const places = { BACKUP_TO: usb, BACKUP_PASSPHRASE: 'three blind mice' }
  const file = ['files', 'tsd-gcodes', '1', 'benchy'] as const
  mkdirSync(join(one, ...file.slice(0, -1)), { recursive: true })
  writeFileSync(join(one, ...file), 'G28')
  const whole = (args: string[], dataFolder: string) =>
    outcomeOf(startVigil(args, { dataFolder, env: places }))
  expect(await vigil(['backup', 'whole'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/set BACKUP_TO/),
  })
  expect(await whole(['backup', 'list'], one)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/holds no backups/),
  })
  const made = await whole(['backup', 'whole', '--json'], one)
  expect(made).toMatchObject({ code: 0, err: '' })
  const { set } = JSON.parse(made.out) as { set: string }
  const restored = await whole(['restore', '--whole', set, '--json'], machine)
  expect(restored).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(restored.out)).toMatchObject({ set, files: 1, bytes: 3 })
  expect(readFileSync(join(machine, ...file), 'utf8')).toBe('G28')
  expect(readFileSync(join(machine, 'secrets.json'))).toEqual(readFileSync(join(one, 'secrets.json')))
  expect((await vigil(['user', 'list'], machine)).out).toMatch(/ann@example\.org/)
  writeFileSync(join(machine, ...file), 'G29')
  expect(await whole(['restore', '--whole'], machine)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/not empty/),
  })
  expect(readFileSync(join(machine, ...file), 'utf8')).toBe('G29')
})

test('beside a running server: a backup is made, a restore refused', async () => {
  const server = start(['up', '--json'], one)
  server.stderr!.resume()
  try {
    await once(server.stdout!, 'data')
    const file = join(above, 'beside.vbk')
    expect(await vigil(['backup', '--to', file])).toMatchObject({
      code: 0,
      out: expect.stringContaining(file),
    })
    expect(await vigil(['restore', file])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/already runs on this data folder/),
    })
    expect(await vigil(['backup', '--to', file])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/exists already/),
    })
    expect(readdirSync(above).filter((name) => name.endsWith('.part'))).toEqual([])
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
})
