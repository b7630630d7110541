import { createServer, request as send, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aWorkshop } from '../fixture.ts'
import { addPrinter, complaintsBut, OWNER, until } from '../support.ts'

/** What stands between browser and server: it can be cut, and it can bring another build. */
interface Way {
  readonly address: string
  cut(): Promise<void>
  mend(): Promise<void>
  deploy(): void
  close(): Promise<void>
}

const workshop = aWorkshop({ profile: { serviceWorkers: 'allow' } })
let way: Way

beforeAll(async () => {
  way = await wayTo(new URL(workshop.vigil.address))
})

afterAll(() => way?.close())

async function wayTo({ hostname, port }: URL): Promise<Way> {
  let isNew = false
  let server: Server
  const open = async (at: number) => {
    server = createServer((incoming, answer) => {
      const isWorker = incoming.url === '/sw.js'
      const headers = { ...incoming.headers }
      if (isWorker)
        for (const name of ['accept-encoding', 'if-none-match', 'if-modified-since']) delete headers[name]
      const onward = send(
        { hostname, port, path: incoming.url, method: incoming.method, headers },
        (found) => {
          if (!isWorker || !isNew) {
            answer.writeHead(found.statusCode!, found.headers)
            found.pipe(answer)
            return
          }
          answer.writeHead(200, { 'content-type': 'text/javascript' })
          void text(found).then((body) => answer.end(body.replace(/PREFIX \+ "\w+"/, 'PREFIX + "next"')))
        },
      )
      onward.on('error', () => answer.destroy())
      incoming.pipe(onward)
    })
    server.on('upgrade', (_, socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const shut = async () => {
    const ended = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await ended
  }
  const mine = await open(0)
  return {
    address: `http://127.0.0.1:${mine}`,
    cut: shut,
    mend: async () => void (await open(mine)),
    deploy: () => void (isNew = true),
    close: shut,
  }
}

/** The offline page with script, style and font, and the brand's logo. */
const KEPT = ['assets', 'assets', 'assets', 'brands', 'first-paint.js', 'offline.html']
const NETWORK = /ERR_|WebSocket|Failed to load|Failed to fetch/

test(
  'the app can be installed, says when there is no connection, and keeps nothing private',
  { timeout: 400_000 },
  async () => {
    const person = workshop.owner
    const { page } = person
    await page.goto(`${way.address}/printers/`)
    await page.getByRole('heading', { name: 'No printers yet' }).waitFor()
    await addPrinter(page, 'Voron in the cellar')
    const manifest = await page.evaluate(async () => {
      const { href } = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')!
      return (await (await fetch(href)).json()) as { name: string; icons: { src: string; sizes: string }[] }
    })
    expect(manifest.name).toBe('Vigil')
    for (const { src, sizes } of manifest.icons) {
      const width = await page.evaluate(async (address) => {
        const bitmap = await createImageBitmap(await (await fetch(address)).blob())
        return `${bitmap.width}x${bitmap.height}`
      }, src)
      expect(width).toBe(sizes)
    }
    await until(
      () => page.evaluate(() => navigator.serviceWorker.controller?.state === 'activated'),
      'the worker',
    )

    await way.cut()
    await page.goto(`${way.address}/user_preferences/`)
    await page.getByRole('heading', { name: 'No connection' }).waitFor()
    expect(await page.title()).toBe('Vigil')
    await way.mend()
    await page.getByRole('heading', { name: 'Preferences' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/user_preferences/')
    expect(complaintsBut(person, NETWORK)).toEqual([])

    // Nothing of an account is kept, neither while signed in nor afterwards.
    expect(await kept()).toEqual(KEPT)
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByLabel('E-mail').waitFor()
    expect(await kept()).toEqual(KEPT)
    const content = await page.evaluate(async () => {
      const names = await caches.keys()
      const answers = await Promise.all(names.map(async (name) => (await caches.open(name)).matchAll()))
      return (await Promise.all(answers.flat().map((one) => one.text()))).join('\n')
    })
    expect(content).not.toContain(OWNER.email)
    expect(content).not.toContain('Voron')

    await way.cut()
    await page.goto(`${way.address}/printers/`)
    await page.getByRole('heading', { name: 'No connection' }).waitFor()
    await way.mend()
    await page.getByLabel('E-mail').waitFor()

    // An open page takes a new build with the next way, and the old one's files are gone.
    const mark = () => page.evaluate(() => document.documentElement.dataset['mark']).catch(() => 'on the way')
    await page.evaluate(() => {
      const { dataset } = document.documentElement
      dataset['mark'] = 'old'
      navigator.serviceWorker.addEventListener('controllerchange', () => (dataset['mark'] = 'old, and knows'))
    })
    way.deploy()
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.update())
    await until(async () => (await mark()) === 'old, and knows', 'the news of another build')
    await page.getByLabel('E-mail').fill(OWNER.email)
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await until(async () => (await mark()) === undefined, 'the new build')
    await page.getByText('Voron in the cellar').first().waitFor()
    expect(await page.evaluate(() => caches.keys())).toEqual([`${way.address}/#next`])
    await person.close()

    /** What the worker keeps, by its first word. */
    function kept(): Promise<string[]> {
      return page.evaluate(async () => {
        const found: string[] = []
        for (const name of await caches.keys())
          for (const { url } of await (await caches.open(name)).keys())
            found.push(new URL(url).pathname.split('/')[1]!)
        return found.toSorted()
      })
    }
  },
)
