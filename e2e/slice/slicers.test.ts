import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { hasPrusaSlicer, startPrusaSlicer } from '../prusaslicer.ts'
import { aPerson, complaintsBut, OWNER, until } from '../support.ts'

// What it logs of each request is looked through for keys.
const workshop = aWorkshop({ env: { LOG_LEVEL: 'info' } })
const APPS = '/user_preferences/authorized_apps/'
const GCODE = 'G28\nG1 X10 Y10 E1\n'

interface Stored {
  readonly filename: string
  readonly parent_folder: { readonly name: string } | null
}
const stored = async (): Promise<Stored[]> =>
  (
    (await (await workshop.owner.page.request.get(workshop.at('/api/v1/g_code_files/'))).json()) as {
      results: Stored[]
    }
  ).results

test('OrcaSlicer is let in by its own window, brings a file, and is shut out', async () => {
  const { page } = workshop.owner
  const { id } = await workshop.linked('Ender')
  // Its window: a web view that knows nobody, and hears what the page posts.
  const orca = await aPerson({
    userAgent:
      'BBL-Slicer/v02.03.01.51 (light) Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    viewport: { width: 650, height: 840 },
  })
  workshop.evidence('slicers-orca', orca)
  await orca.page.addInitScript(() => {
    const heard: string[] = []
    Object.assign(window, { wx: { postMessage: (text: string) => heard.push(text) }, heard })
  })
  await orca.page.goto(workshop.at('/o/authorize?response_type=token&client_id=OrcaSlicer&hide_navbar=true'))
  await orca.page.getByLabel('E-mail').fill(OWNER.email)
  await orca.page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await orca.page.getByRole('button', { name: 'Sign in' }).click()
  await orca.page.getByRole('heading', { name: 'Let OrcaSlicer in?' }).waitFor()
  await orca.page.getByRole('button', { name: 'Cancel' }).click()
  await orca.page.getByText('OrcaSlicer was not let in.').waitFor()
  await orca.page.goto(workshop.at('/o/authorize?response_type=token&client_id=OrcaSlicer&hide_navbar=true'))
  await orca.page.getByRole('button', { name: 'Allow' }).click()
  await orca.page.getByText('OrcaSlicer is connected.').waitFor()
  expect(orca.page.url()).toBe(workshop.at('/orca_slicer/authorized/'))
  const heard = await orca.page.evaluate(() => (window as unknown as { heard: string[] }).heard)
  const { command, data } = JSON.parse(heard[0]!) as { command: string; data: { token: string } }
  expect([heard.length, command]).toEqual([1, 'login_token'])
  expect(orca.complaints).toEqual([])
  await orca.close()

  // What it then asks, by its own sources.
  const headers = { authorization: `Bearer ${data.token}`, 'user-agent': 'OrcaSlicer/2.3.1' }
  const get = async (path: string) => await fetch(workshop.at(path), { headers })
  expect(await (await get('/api/v1/version/')).json()).toEqual({ version: '1.0.0' })
  expect(await (await get('/api/v1/printers/')).json()).toEqual([{ id, name: 'Ender' }])
  const form = new FormData()
  const fields = { print: 'true', path: '', printer_id: `Ender [${id}]`, filename: 'plate_1.gcode' }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([GCODE]), 'plate_1.gcode')
  const sent = await fetch(workshop.at('/api/v1/g_code_files/'), { method: 'POST', headers, body: form })
  expect(sent.status).toBe(201)
  expect((await stored()).map(({ filename }) => filename)).toEqual(['plate_1.gcode'])

  // Its user sees it, and shuts it out.
  workshop.evidence('slicers-apps')
  await page.goto(workshop.at('/user_preferences/'))
  await page.getByRole('link', { name: 'Authorized Apps' }).click()
  await page.getByText('Sees the names of all printers, and stores files').waitFor()
  await page.getByRole('button', { name: 'Revoke OrcaSlicer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No app was let in.').waitFor()
  expect((await get('/api/v1/version/')).status).toBe(403)
})

test.skipIf(!hasPrusaSlicer)(
  'PrusaSlicer, set up as the page says, prints at once',
  { timeout: 300_000 },
  async () => {
    const { page } = workshop.owner
    workshop.evidence('slicers-keys')
    const { id, machine } = await workshop.linked('Voron in the cellar', { speed: 30 })
    await page.goto(workshop.at(APPS))
    await page.getByText('PrusaSlicer', { exact: true }).click()
    const host = await page.getByLabel('Address for PrusaSlicer').inputValue()
    expect(host).toBe(workshop.vigil.address)
    await page.getByLabel('Name of the new key').fill('At my desk')
    await page.getByLabel('Prints on').selectOption({ label: 'Voron in the cellar' })
    await page.getByRole('button', { name: 'Make a key' }).click()
    const key = await page.getByLabel('API key').inputValue()
    expect(key).toMatch(/^vigil_[\w-]{43}$/)
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await page.content(), 'it is shown once').not.toContain(key)

    const slicer = await startPrusaSlicer({ host, key })
    try {
      await slicer.send('benches/stored.gcode', 'Upload')
      await until(
        async () => (await stored()).some(({ filename }) => filename === 'stored.gcode'),
        'the file',
        90_000,
      )
      await slicer.send('cube.gcode', 'Upload and Print')
      await until(
        async () => {
          const answer = await page.request.get(workshop.at(`/api/v1/printers/${id}/`))
          const { current_print: print } = (await answer.json()) as {
            current_print: { filename: string } | null
          }
          return print?.filename.includes('cube')
        },
        'the print',
        90_000,
      )
      await slicer.send('too-late.gcode', 'Upload and Print')
      await slicer.dismissError()
      await machine.stop()
    } catch (error) {
      const folder = join(import.meta.dirname, 'out')
      await mkdir(folder, { recursive: true })
      slicer.screenshot(join(folder, 'slicers-prusa.png'))
      throw error
    } finally {
      await slicer.close()
    }
    const files = (await stored()).filter(({ filename }) => filename !== 'plate_1.gcode')
    expect(files.map(({ filename, parent_folder: folder }) => [filename, folder?.name ?? null])).toEqual([
      ['too-late.gcode', null],
      ['cube.gcode', null],
      ['stored.gcode', 'benches'],
    ])
    expect(workshop.vigil.said()).toContain('/api/files/local')
    expect(workshop.vigil.said()).not.toContain(key)

    await page.reload()
    await page.getByText('At my desk').waitFor()
    await page.getByRole('button', { name: 'Revoke At my desk' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No keys yet.').waitFor()
    expect((await fetch(workshop.at('/api/version'), { headers: { 'x-api-key': key } })).status).toBe(403)
    expect(complaintsBut(workshop.owner)).toEqual([])
  },
)
