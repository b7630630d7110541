import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inSuite } from '../../../../scripts/suites.ts'
import { bake } from '../../../lib/mesh/bake.ts'
import { readStl, writeStl } from '../../../lib/mesh/stl.ts'
import { flatSettings } from '../../../lib/slicing/flat.ts'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { isSlicerThere, machineNamed, placedAt, slice, SLICER } from '../../../test/slicer.ts'
import { readProfiles } from '../profiles/index.ts'

const run = promisify(execFile)
/** Good and bad ones; another folder of such may be named. */
const FOLDER = process.env['MESHES'] ?? join(import.meta.dirname, '../../../test/meshes')
/** What is said of those of which no G-code comes: when they are brought, or when they are sliced. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'empty.stl': /nothing in this file/,
  'zero_tris.stl': /nothing in this file/,
  'flat.stl': /no thickness/,
  'garbage.stl': /no mesh that can be read/,
  'text.stl': /no mesh that can be read/,
  'truncated.stl': /no mesh that can be read/,
  'nan.stl': /no numbers/,
  'tiny.stl': /too small to be printed/,
  'toobig300.stl': /beyond the edge of the bed|higher than the printer/,
}
/** A slicer gives way to all else, and so takes long where much is done. */
const LONGEST_MS = 600_000
const RUNS = 4
const all = readdirSync(FOLDER).filter((name) => name.endsWith('.stl'))
const good = all.filter((name) => !(name in REFUSED))

let app: TestApp
let owner: TestUser
let machine: Awaited<ReturnType<typeof machineNamed>>
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigil-line-'))
  app = await buildTestApp()
  owner = await aUser(app)
  if (isSlicerThere) machine = await machineNamed(app, owner, 'Ender-3 V2 (0.4')
})
afterAll(async () => {
  await app?.close()
  await rm(folder, { recursive: true, force: true })
})

async function bring(name: string) {
  const form = new FormData()
  form.set('file', new Blob([readFileSync(join(FOLDER, name))]), name)
  const headers = { cookie: owner.cookie }
  const answer = await fetch(`${app.url}${SLICER}models/`, { method: 'POST', body: form, headers })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

/** All but the first line, which says when it was made, the pictures below it, and names of profiles. */
function essence(gcode: string): string {
  const lines = gcode.slice(gcode.lastIndexOf('; thumbnail end\n') + 1).split('\n')
  return lines
    .slice(1)
    .filter(
      (line) =>
        line.replaceAll(';', '').trim() !== '' && !/^; (?:printer|print|filament)_settings_id/.test(line),
    )
    .join('\n')
}

/** Its layers, how much it takes of time and filament, and all settings. */
const outline = (gcode: string): string =>
  essence(gcode)
    .split('\n')
    .filter((line) => /^;(?:Z:|LAYER_CHANGE|HEIGHT:)|^; /.test(line))
    .join('\n')

async function byHand(mesh: ArrayBuffer): Promise<string> {
  const { triangles } = readStl(new Uint8Array(mesh))
  bake(triangles, { translate: [110, 110, 0], rotate: [0, 0, 0], scale: [1, 1, 1] })
  const { bySubPath } = await readProfiles(app.ctx)
  const values = [machine, machine.default_print_process, machine.default_filament].map(
    ({ sub_path: path }) => bySubPath.get(path)!.values,
  )
  const [stl, ini, out] = ['mesh.stl', 'flat.ini', 'out.gcode'].map((name) => join(folder, name))
  await writeFile(stl!, writeStl(triangles))
  await writeFile(ini!, flatSettings(...values))
  const args = ['-g', '--load', ini!, '--config-compatibility', 'disable', '--merge', '--dont-arrange']
  await run('prusa-slicer', [...args, '-o', out!, stl!], { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  return await readFile(out!, 'utf8')
}

describe.skipIf(!isSlicerThere)('beside the slicer’s own command line', () => {
  it.each(inSuite(['tee_overhang.stl'], good))(
    'the G-code of %s is the same, of the same mesh',
    async (name) => {
      const { mesh_url: url } = (await bring(name)).body
      const { body } = await slice(app, owner, machine, { meshes: [placedAt(url)], wait: 0 })
      const done = await eventually(async () => {
        const { json } = await call(app, 'GET', `${SLICER}jobs/${body.job_id}/`, { cookie: owner.cookie })
        return json.status === 'queued' || json.status === 'running' ? undefined : json
      }, LONGEST_MS)
      expect(done).toMatchObject({ status: 'done', error: null })
      const headers = { cookie: owner.cookie }
      const file = await call(app, 'GET', `/api/v1/g_code_files/${done.gcode_file_id}/`, headers)
      const ours = await (await fetch(file.json.url)).text()
      const mesh = await fetch(app.url + url, { headers })
      const stl = await mesh.arrayBuffer()
      expect(ours).toContain('; thumbnail end')
      expect(essence(ours).split('\n').length).toBeGreaterThan(1000)
      // The slicer itself begins loops elsewhere now and then, and those of round meshes each time: one of its runs is
      // ours to the letter, or no two of them are alike and all but that is the same.
      const theirs: string[] = []
      while (theirs.length < RUNS) {
        const gcode = await byHand(stl.slice())
        if (essence(gcode) === essence(ours)) return
        theirs.push(gcode)
      }
      expect(new Set(theirs.map(essence)).size).toBe(RUNS)
      expect(outline(ours)).toBe(outline(theirs[0]!))
    },
    LONGEST_MS,
  )

  it.each(Object.keys(REFUSED).filter((name) => all.includes(name)))(
    '%s comes to nothing, in a sentence that says why',
    async (name) => {
      const brought = await bring(name)
      const answer =
        brought.status === 201
          ? await slice(app, owner, machine, { meshes: [placedAt(brought.body.mesh_url)] })
          : brought
      expect(answer).toEqual({
        status: brought.status === 201 ? 422 : 400,
        body: expect.objectContaining({ error: expect.stringMatching(REFUSED[name]!) }),
      })
    },
  )
})
