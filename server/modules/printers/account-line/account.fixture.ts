import { accountFrameOut } from '@vigil/contract/sockets.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { openBrowser, type WireBrowser } from '../../../test/wire/browser.ts'

/** A server with a stranger for a test file, and for each of its tests an owner of two printers. */
export function accountLab() {
  let app: TestApp
  let owner: TestUser
  let stranger: TestUser
  let first: { id: number; auth_token: string }
  let second: { id: number; auth_token: string }
  const open: { ws: { close(): void } }[] = []

  beforeAll(async () => {
    app = await buildTestApp()
    stranger = await aUser(app)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    owner = await aUser(app)
    first = await aPrinter(app, owner, 'First')
    second = await aPrinter(app, owner, 'Second')
  })
  afterEach(() => {
    for (const { ws } of open.splice(0)) ws.close()
  })

  return {
    get app() {
      return app
    },
    get owner() {
      return owner
    },
    get stranger() {
      return stranger
    },
    get first() {
      return first
    },
    get second() {
      return second
    },
    /** The owner's account socket. */
    async browser(): Promise<WireBrowser> {
      const one = await openBrowser(app, '/ws/web/all/', owner.cookie)
      open.push(one)
      return one
    },
    async agentOf(token: string): Promise<WireAgent> {
      const agent = await connectAgent(app, token)
      open.push(agent)
      await agent.hear(({ remote_status }) => remote_status !== undefined)
      return agent
    },
  }
}

/** What the browser holds after all that it heard, put together as contract/sockets.ts says. */
export function held(page: WireBrowser): Map<number, any> {
  const printers = new Map<number, any>()
  for (const frame of page.heard) {
    expect(accountFrameOut.safeParse(frame).error).toBeUndefined()
    for (const printer of frame['printers'] ?? []) printers.set(printer.id, printer)
    for (const { id, patch } of frame['patches'] ?? []) {
      const before = printers.get(id)
      const { status, ...rest } = patch
      const merged = status === undefined ? before.status : status && { ...before.status, ...status }
      printers.set(id, { ...before, ...rest, status: merged })
    }
    for (const id of frame['gone'] ?? []) printers.delete(id)
  }
  return printers
}

/** Waits until the browser holds that printer as `test` wants it. */
export const holds = (page: WireBrowser, id: number, test: (printer: any) => boolean) =>
  eventually(
    () => (held(page).has(id) && test(held(page).get(id))) || undefined,
    60_000,
    () => JSON.stringify(page.heard).slice(-2_000),
  )
