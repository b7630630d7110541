/** The package of a release, on a machine that has Node and nothing else: installed, started, used, stopped. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fieldsOf } from '@vigil/contract/fields.ts'
import { builtFolder } from '../../built.mjs'
import { outcomeOf } from '../../cli/update/program.ts'
import { freePort } from '../faults/support.ts'

const root = join(import.meta.dirname, '../../..')
const above = mkdtempSync(join(tmpdir(), 'vigil-package-'))
const [release, home, program, bare] = ['release', 'home', 'program', 'bin'].map((name) => join(above, name))
const version = String(fieldsOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))['version'])
const tarball = join(release!, `vigil-${version}.tgz`)

/** What a machine without a compiler lacks. */
const COMPILERS =
  /^(?:.*-)?(?:gcc|g\+\+|cpp|c\+\+|cc|clang|clang\+\+|make|cmake|ninja|node-gyp|python\d?|ld|as)(?:-[\d.]+|[\d.]+)?$/
const environment = () => ({ PATH: bare!, HOME: home!, npm_config_cache: join(above, 'cache') })

beforeAll(() => {
  for (const folder of [home!, program!, bare!]) mkdirSync(folder)
  for (const folder of ['/usr/bin', '/bin', '/usr/local/bin'])
    for (const name of readdirSync(folder))
      if (!COMPILERS.test(name))
        try {
          symlinkSync(join(folder, name), join(bare!, name))
        } catch {
          // another folder has one of that name
        }
  execFileSync(process.execPath, ['scripts/release.ts', release!], { cwd: root, stdio: 'inherit' })
}, 600_000)
afterAll(() => rmSync(above, { recursive: true, force: true }))

test('its checksums are right, and its notes and list lie beside it', () => {
  const lines = readFileSync(join(release!, 'SHA256SUMS'), 'utf8').trim().split('\n')
  expect(lines.map((line) => line.split('  ')[1])).toEqual([`vigil-${version}.tgz`, 'sbom.json', 'NOTES.md'])
  for (const line of lines) {
    const [sum, name = ''] = line.split('  ')
    const bytes = readFileSync(join(release!, name))
    expect(createHash('sha256').update(bytes).digest('hex'), name).toBe(sum)
  }
  expect(readFileSync(join(release!, 'NOTES.md'), 'utf8')).toContain(`# Vigil ${version}`)
  const bom = fieldsOf(JSON.parse(readFileSync(join(release!, 'sbom.json'), 'utf8')))
  expect(bom['bomFormat']).toBe('CycloneDX')
})

test('installed from the registry into an empty folder it starts, takes a printer and its picture, is updated, and stops', async () => {
  execFileSync('npm', ['install', '--no-audit', '--no-fund', tarball], {
    cwd: program!,
    env: environment(),
    stdio: 'inherit',
    timeout: 500_000,
  })
  expect(existsSync(join(builtFolder(join(program!, 'node_modules/vigil')), 'child.js'))).toBe(true)
  const { server, address, setupLink } = await started()
  try {
    await useOnce(address, setupLink)
    await updateOnce(address)
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  expect(server.exitCode).toBe(0)
  expect(readdirSync(join(home!, '.local/share/vigil'))).toContain('secrets.json')
  const said = execFileSync('npx', ['vigil', 'doctor', '--json'], {
    cwd: program!,
    env: { ...environment(), PORT: '0' },
    encoding: 'utf8',
  })
  const { checks } = JSON.parse(said) as { checks: { name: string; state: string; found: string }[] }
  expect(checks.filter(({ state }) => state === 'fail')).toEqual([])
  expect(checks.find(({ name }) => name === 'model')?.state).toBe('ok')
}, 900_000)

/** `npx vigil up`, until it says where. */
async function started(): Promise<{ server: ChildProcess; address: string; setupLink: string }> {
  const server = spawn(join(program!, 'node_modules/.bin/vigil'), ['up', '--json'], {
    cwd: program!,
    env: {
      ...environment(),
      // An update looks for the server where its settings say.
      PORT: String(await freePort()),
      HOST: '127.0.0.1',
      OCTOPRINT_TUNNEL_PORT_RANGE: '0-0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: server.stdout })) {
    const said = fieldsOf(JSON.parse(line))
    if (typeof said['address'] === 'string')
      return { server, address: said['address'], setupLink: String(said['setup_link']) }
    console.log(line)
  }
  throw new Error('it has ended')
}

/** The first account, its page, a printer, and what that says. */
async function useOnce(address: string, setupLink: string): Promise<void> {
  const token = new URL(setupLink).searchParams.get('token')
  const person = { email: 'ann@example.org', password: 'correct horse battery' }
  const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
    await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address, ...headers },
      body: JSON.stringify(body),
    })
  expect((await post('/api/v1/auth/setup/', { ...person, token })).ok).toBe(true)
  const login = await post('/api/v1/auth/login/', person)
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  const page = await (
    await fetch(`${address}/printers/`, { headers: { cookie, accept: 'text/html' } })
  ).text()
  expect(page).toMatch(/<script type="module"/)
  const added = execFileSync('npx', ['vigil', 'printer', 'add', '--owner', person.email], {
    cwd: program!,
    env: environment(),
    encoding: 'utf8',
  })
  const { id, auth_token: agent } = fieldsOf(JSON.parse(added))
  const form = new FormData()
  const picture = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#456' } })
    .jpeg()
    .toBuffer()
  form.append('pic', new Blob([new Uint8Array(picture)]), 'pic.jpg')
  const sent = await fetch(`${address}/api/v1/octo/pic/`, {
    method: 'POST',
    headers: { authorization: `Token ${String(agent)}` },
    body: form,
  })
  expect(sent.status).toBeLessThan(300)
  const seen = await fetch(`${address}/api/v1/printers/${String(id)}/`, { headers: { cookie } })
  expect(seen.status).toBe(200)
}

/** The package of a version that differs by its number: refused when it is not what its checksums say, else it is there. */
async function updateOnce(address: string): Promise<void> {
  const later = join(above, 'later')
  mkdirSync(later)
  const package2 = join(later, 'vigil-9.9.9.tgz')
  execFileSync('tar', ['-xzf', tarball, '-C', later])
  const file = join(later, 'package/package.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace(`"version": "${version}"`, '"version": "9.9.9"'))
  execFileSync('tar', ['-czf', package2, '-C', later, 'package'])
  // Not waited for by standing still: the connections that the old server closes meanwhile are noticed.
  const vigil = async (...args: string[]) =>
    await outcomeOf('npx', ['vigil', ...args], { cwd: program!, env: environment() })
  writeFileSync(join(later, 'SHA256SUMS'), `${'0'.repeat(64)}  vigil-9.9.9.tgz\n`)
  expect((await vigil('update', package2)).err).toMatch(/is not the file that SHA256SUMS beside it names/)
  rmSync(join(later, 'SHA256SUMS'))
  const { out, err, code } = await vigil('update', package2)
  expect([code, out + err]).toEqual([
    0,
    expect.stringContaining(`Vigil is 9.9.9 now, and well. It was ${version}.`),
  ])
  expect(await (await fetch(`${address}/hc/?full=1`)).json()).toMatchObject({ version: '9.9.9' })
  expect((await vigil('user', 'list')).out).toContain('ann@example.org')
}
