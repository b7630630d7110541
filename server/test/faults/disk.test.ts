import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { afterAll, expect, it } from 'vitest'
import { eventually } from '../wire/agent.ts'
import {
  aFolder,
  ask,
  commandsOf,
  greeted,
  missing,
  openDatabase,
  postPicture,
  printing,
  type Running,
  removeFolder,
  shown,
  up,
} from './support.ts'
import { asId } from '../ids.ts'

const mount = aFolder()
const canMount = tryMount()
let server: Running | undefined

/** A disk of its own that can be filled. Needs root: in a container without CAP_SYS_ADMIN it is forbidden. */
function tryMount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'vigil-hurt', mount], { stdio: 'ignore' })
    return true
  } catch {
    return !missing('a full disk: mounting a tmpfs needs root and CAP_SYS_ADMIN', true)
  }
}

afterAll(async () => {
  await server?.stop()
  if (canMount) execFileSync('umount', ['-l', mount])
  removeFolder(mount)
})

/** Writes until the disk has this much left; 0: until it takes nothing more. */
function fill(path: string, leaveBytes: number): void {
  const block = Buffer.alloc(1024 * 1024)
  const file = openSync(path, 'a')
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(mount)
      if (leaveBytes > 0 && bavail * bsize <= leaveBytes) return
      writeSync(file, block)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}

it.runIf(canMount)(
  'a full disk: reads and commands go on, writes are refused by name, and it recovers by itself',
  async () => {
    const dataFolder = join(mount, 'data')
    mkdirSync(dataFolder, { mode: 0o700 })
    server = await up(dataFolder)
    const node = server
    const cookie = await node.signIn()
    const [printer] = await node.addPrinters(1)
    if (printer === undefined) throw new Error('no printer')
    const path = `/api/v1/printers/${printer.id}/`
    const agent = await greeted(node, printer.auth_token)
    const key = Math.floor(Date.now() / 1000)
    agent.send(printing(key, 1, 'PrintStarted'))
    await shown(node, cookie, asId(printer.id), (one) => one.current_print !== null && one.status?.n === 1)
    const browser = new WebSocket(`${node.wsUrl}/ws/web/${printer.id}/`, {
      headers: { cookie, origin: node.url },
    })
    const pushed: { status: { n: number } | null; name?: string }[] = []
    browser.on('message', (data) => pushed.push(JSON.parse(String(data))))
    await eventually(() => (pushed.length > 0 ? true : undefined))
    const renames = { acknowledged: printer.name }
    const rename = async (name: string) => {
      const { status, text } = await ask(node, 'PATCH', path, { cookie, body: { name } })
      if (status === 200) renames.acknowledged = name
      return { status, text }
    }
    expect((await rename('before')).status).toBe(200)
    expect((await postPicture(node, printer.auth_token)).status).toBe(200)

    const database = await openDatabase(dataFolder)
    const ballast = join(mount, 'ballast')
    for (const leaveBytes of [60 * 1024 * 1024, 0]) {
      fill(ballast, leaveBytes)
      const refused = await eventually(async () => {
        const answer = await rename(`full ${leaveBytes}`)
        return answer.status === 507 ? answer : undefined
      })
      expect(refused.text).toContain(dataFolder)
      const picture = await postPicture(node, printer.auth_token)
      expect(picture.status).toBe(507)
      expect(picture.text).toContain(dataFolder)
      const health = await eventually(async () => {
        const one = await ask(node, 'GET', '/hc/')
        return one.status === 507 ? one : undefined
      })
      expect(health.text).toContain(dataFolder)
      expect((await ask(node, 'GET', '/api/v1/printers/', { cookie })).json).toHaveLength(1)
      expect((await ask(node, 'GET', '/')).status).toBe(200)
      const n = leaveBytes + 7
      agent.send(printing(key, n))
      await eventually(() => (pushed.some(({ status }) => status?.n === n) ? true : undefined))
      const told = commandsOf(agent).length
      const pause = await ask(node, 'POST', `${path}pause_print/`, { cookie, body: {} })
      expect(pause.json).toMatchObject({ succeeded: true })
      await eventually(() => (commandsOf(agent).length === told + 1 ? true : undefined))
      expect(agent.closed).toBeNull()
      expect(browser.readyState).toBe(WebSocket.OPEN)
      // What we leave free is room for a checkpoint: without any the database panics.
      if (leaveBytes > 0) await database.query('checkpoint')
    }
    const postgres = node.postgresPid()

    rmSync(ballast)
    await eventually(async () => ((await rename('after')).status === 200 ? true : undefined))
    expect((await postPicture(node, printer.auth_token)).status).toBe(200)
    await eventually(async () => ((await ask(node, 'GET', '/hc/')).status === 200 ? true : undefined))
    expect((await ask(node, 'GET', path, { cookie })).json).toMatchObject({ name: renames.acknowledged })
    expect(agent.closed).toBeNull()
    agent.send(printing(key, 99, 'PrintDone'))
    await shown(node, cookie, asId(printer.id), (one) => one.current_print === null)
    expect(node.postgresPid()).toBe(postgres)
    expect(readFileSync(join(dataFolder, 'log/postgres.log'), 'utf8')).not.toMatch(
      /PANIC|terminated by signal|recovery/,
    )

    // Something else takes the very last byte: the next checkpoint stops the database until there is room; nothing is lost.
    fill(ballast, 0)
    await expect(database.query('checkpoint')).rejects.toThrow()
    await expect(database.end()).resolves.toBeUndefined()
    rmSync(ballast)
    await eventually(async () => ((await rename('after all')).status === 200 ? true : undefined))
    expect((await ask(node, 'GET', path, { cookie })).json).toMatchObject({ name: renames.acknowledged })
    browser.terminate()
    agent.ws.terminate()
  },
  60_000,
)
