import { readdirSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { LOOKS } from '../looks.ts'
import { complaintsBut } from '../support.ts'

const folder = await mkdtemp(join(tmpdir(), 'vigil-bare-'))
const programs = ['/usr/bin', '/usr/local/bin'].map((path) => ({ path, names: readdirSync(path) }))
const isSlicerThere = programs.some(({ names }) => names.includes('prusa-slicer'))

/** A system as it is, but without a slicer, whose apt then brings it. */
async function aBareSystem(): Promise<string> {
  for (const { path, names } of programs)
    for (const name of names)
      if (name !== 'prusa-slicer' && name !== 'apt-get')
        await symlink(join(path, name), join(folder, name)).catch(() => {})
  const apt = `#!/bin/sh
case "$*" in
*install*)
  echo "dlstatus:1:50.00:Retrieving file 1 of 2"
  sleep 2
  echo "pmstatus:prusa-slicer:90.0:Unpacking prusa-slicer"
  ln -sf /usr/bin/prusa-slicer ${folder}/prusa-slicer;;
esac`
  await writeFile(join(folder, 'apt-get'), apt, { mode: 0o755 })
  return `${folder}:/usr/sbin:/sbin`
}

const workshop = aWorkshop({ env: { PATH: isSlicerThere ? await aBareSystem() : '/usr/bin' } })
afterAll(() => rm(folder, { recursive: true, force: true }))

test.skipIf(!isSlicerThere || process.getuid?.() !== 0)(
  'without a slicer the page says what one click brings; the click brings it, and the plate stands',
  async () => {
    // The same page before the click, in the other width and language.
    const phone = await workshop.ownerAt(LOOKS.octoprintPhone, 'installing-phone')
    await phone.page.goto(workshop.at('/ent/slice_settings/'))
    await phone.page.getByRole('button', { name: phone.say('slicing:install.button') }).waitFor()
    await phone.page.getByText(phone.say('slicing:install.brings')).waitFor()

    const { person, page, say } = await workshop.ownerAt(LOOKS.klipperDesk, 'installing-desk')
    await page.goto(workshop.at('/ent/slice_settings/'))
    await page.getByRole('button', { name: say('slicing:install.button') }).click()
    await page.getByRole('progressbar', { name: say('slicing:install.title') }).waitFor()
    await phone.page.reload()
    await page.getByRole('toolbar', { name: say('slicing:tools') }).waitFor({ timeout: 90_000 })
    await page
      .getByText(/^PrusaSlicer \d/)
      .first()
      .waitFor()
    await phone.page.getByRole('toolbar', { name: phone.say('slicing:tools') }).waitFor()
    expect(complaintsBut(person)).toEqual([])
    expect(complaintsBut(phone.person)).toEqual([])
  },
  180_000,
)
