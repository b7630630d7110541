import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { isSlicerThere, SLICER } from '../../../test/slicer.ts'
import { eventually } from '../../../test/wire/agent.ts'

const isRoot = process.getuid?.() === 0
const { PATH } = process.env
const folders: string[] = []
let app: TestApp
let admin: TestUser

/** A system on which nothing is but these, and apt as it is written here. */
async function aSystem(apt: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-system-'))
  folders.push(folder)
  // The slicer runs as somebody else.
  await chmod(folder, 0o755)
  for (const name of ['env', 'nice', 'stdbuf', 'ln', 'sleep'])
    await symlink(`/usr/bin/${name}`, join(folder, name))
  await writeFile(join(folder, 'apt-get'), `#!/bin/sh\n${apt}`, { mode: 0o755 })
  return folder
}

beforeAll(async () => {
  process.env['PATH'] = await aSystem('exit 1')
  app = await buildTestApp()
  admin = await aUser(app)
  await app.ctx.db.updateTable('users').set({ isStaff: true }).where('id', '=', admin.id).execute()
})
afterEach(() => app.advance(3_600_000))
afterAll(async () => {
  process.env['PATH'] = PATH
  await app?.close()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const engine = async (language = 'en') =>
  (await call(app, 'GET', `${SLICER}engine/?lang=${language}`, { cookie: admin.cookie })).json
const install = (who = admin) => call(app, 'POST', `${SLICER}engine/install/`, { cookie: who.cookie })

describe.skipIf(!isRoot)('as root, by apt', () => {
  it('only an administrator has it installed', async () => {
    expect((await install(await aUser(app))).status).toBe(403)
    expect(await engine()).toEqual({ name: null, reads_step: false, installation: null, failed: null })
  })

  it('what goes wrong is said in both languages, and can be tried again', async () => {
    process.env['PATH'] = await aSystem('echo "E: Unable to fetch some archives" >&2\nexit 100')
    expect((await install()).json).toEqual({
      name: null,
      reads_step: false,
      installation: { step: 'lists', share: 0 },
      failed: null,
    })
    await eventually(async () => (await engine()).failed ?? undefined)
    expect((await engine()).failed).toBe('PrusaSlicer could not be fetched: E: Unable to fetch some archives')
    expect((await engine('zh')).failed).toMatch(/^无法获取/)
  })

  it.skipIf(!isSlicerThere)('comes, slices a cube, and is there', async () => {
    const folder = await aSystem(`case "$*" in
*install*)
  echo "dlstatus:1:50.00:Retrieving file 1 of 2"
  echo "pmstatus:prusa-slicer:90.0:Unpacking prusa-slicer"
  while [ ! -e "$0.go" ]; do sleep 0.05; done
  ln -s /usr/bin/prusa-slicer "\${0%/*}/prusa-slicer";;
esac`)
    process.env['PATH'] = folder
    await install()
    await eventually(async () => ((await engine()).installation?.step === 'unpack' ? true : undefined))
    expect((await engine()).installation.share).toBeCloseTo(0.905)
    await writeFile(join(folder, 'apt-get.go'), '')
    // Until it is seen it is on its way: whoever follows it does not stop a moment too early.
    await eventually(async () => ((await engine()).installation?.share === 1 ? true : undefined))
    await eventually(async () => {
      app.advance(11_000)
      return (await engine()).name ?? undefined
    })
    expect(await engine()).toEqual({
      name: expect.stringMatching(/^PrusaSlicer \d/),
      reads_step: true,
      installation: null,
      failed: null,
    })
  })
})
