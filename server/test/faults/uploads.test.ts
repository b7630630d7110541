import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../wire/agent.ts'
import { aFolder, missing, type Running, removeFolder, up } from './support.ts'

const MB = 1_048_576
const ALL = '/api/v1/g_code_files/resumable/'
const TUS = { 'tus-resumable': '1.0.0' }

const mount = aFolder()
const canMount = tryMount()
const data = join(mount, 'data')
let node: Running
let cookie: string

/** A disk of its own that can be filled. */
function tryMount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=500m', 'vigil-uploads', mount], { stdio: 'ignore' })
    return true
  } catch {
    return !missing('an upload on a full disk: mounting a tmpfs needs root and CAP_SYS_ADMIN', true)
  }
}

beforeAll(async () => {
  mkdirSync(data, { mode: 0o700 })
  node = await up(data)
  cookie = await node.signIn()
})
afterAll(async () => {
  await node?.stop()
  if (canMount) execFileSync('umount', ['-l', mount])
  removeFolder(mount)
})

const word = (text: string) => Buffer.from(text).toString('base64')

async function begin(name: string, length: number): Promise<string> {
  const headers = {
    cookie,
    ...TUS,
    'upload-length': String(length),
    'upload-metadata': `filename ${word(name)}`,
  }
  const answer = await fetch(node.url + ALL, { method: 'POST', headers })
  expect(answer.status).toBe(201)
  return answer.headers.get('location') ?? ''
}
const headersAt = (offset: number) => ({
  cookie,
  ...TUS,
  'content-type': 'application/offset+octet-stream',
  'upload-offset': String(offset),
})
/** As a browser that comes back does it: asks how much has come, and sends the rest. */
async function goOn(at: string, content: Buffer<ArrayBuffer>) {
  const offset = Number(
    (await fetch(at, { method: 'HEAD', headers: { cookie, ...TUS } })).headers.get('upload-offset'),
  )
  const body = content.subarray(offset)
  const answer = await fetch(at, { method: 'PATCH', headers: headersAt(offset), body })
  return { offset, status: answer.status, json: (await answer.json()) as Record<string, any> }
}

/** Every file below a folder of the store, by its size. */
function stored(): string[] {
  const entries = readdirSync(join(data, 'files/tsd-gcodes'), { recursive: true, withFileTypes: true })
  return entries.flatMap((one) => (one.isFile() ? [one.name] : []))
}

/** Text of so many MB that is not the same twice. */
const gcode = (megabytes: number, mark: string) => Buffer.alloc(megabytes * MB, `G1 X1 Y2 ; ${mark}\n`)
const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

it('kill -9 in the middle of an upload loses no more than a piece of it, and it goes on', async () => {
  const content = gcode(40, 'killed')
  const at = await begin('killed.gcode', content.length)
  const sending = httpRequest(at, {
    method: 'PATCH',
    headers: { ...headersAt(0), 'content-length': content.length },
  })
  sending.on('error', () => undefined)
  sending.write(content.subarray(0, 36 * MB))
  // The second piece is whole, the third is being written.
  await eventually(() => (stored().filter((name) => /^\d{15}-/.test(name)).length >= 2 ? true : undefined))
  process.kill(node.childPid(), 'SIGKILL')
  sending.destroy()
  await eventually(async () => {
    const answer = await fetch(`${node.url}/hc/`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
    return answer?.status === 200 ? true : undefined
  })
  const done = await goOn(at, content)
  expect(done).toMatchObject({ status: 200, json: { filename: 'killed.gcode', num_bytes: content.length } })
  expect(done.offset).toBeGreaterThanOrEqual(32 * MB)
  const got = new Uint8Array(await (await fetch(done.json['url'])).arrayBuffer())
  expect(hashOf(got)).toBe(hashOf(content))
  expect(stored().filter((name) => /^\d{15}-|upload\.json/.test(name))).toEqual([])
})

it.runIf(canMount)(
  'a full disk refuses an upload by name, keeps what is there, and takes the rest when it is freed',
  async () => {
    const content = gcode(30, 'full')
    const at = await begin('full.gcode', content.length)
    const ballast = join(mount, 'ballast')
    const file = openSync(ballast, 'a')
    try {
      for (;;) writeSync(file, Buffer.alloc(MB))
    } catch {
      closeSync(file)
    }
    const refused = await goOn(at, content)
    expect(refused.status).toBe(507)
    expect(JSON.stringify(refused.json)).toContain(data)
    const form = new FormData()
    form.set('filename', 'whole.gcode')
    form.set('file', new Blob([content]), 'whole.gcode')
    const whole = await fetch(`${node.url}/api/v1/g_code_files/`, {
      method: 'POST',
      headers: { cookie },
      body: form,
    })
    expect(whole.status).toBe(507)
    const before = await fetch(`${node.url}/api/v1/g_code_files/`, { headers: { cookie } })
    expect(await before.text()).not.toMatch(/(full|whole)\.gcode/)

    rmSync(ballast)
    const done = await eventually(async () => {
      const tried = await goOn(at, content)
      return tried.status === 200 ? tried : undefined
    })
    expect(done.json).toMatchObject({ filename: 'full.gcode', num_bytes: content.length })
    const got = new Uint8Array(await (await fetch(done.json['url'])).arrayBuffer())
    expect(hashOf(got)).toBe(hashOf(content))
  },
  600_000,
)
