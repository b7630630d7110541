import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { aPrinter, call } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { putAgent } from '../../core/presence/index.ts'
import { accountLab, held, holds } from './account.fixture.ts'
import { asId } from '../../../test/ids.ts'

const lab = accountLab()
const { agentOf, browser } = lab

const shown = async (id: number) =>
  (await call(lab.app, 'GET', `/api/v1/printers/${id}/`, { cookie: lab.owner.cookie })).json

const status = (more: object = {}) => ({
  _ts: Date.now() / 1000,
  state: { text: 'Operational', flags: { ready: true } },
  file_metadata: { big: 'x'.repeat(3_000) },
  ...more,
})

describe('the account’s socket', () => {
  it('tells each watched printer in full, others never, and what is not one’s own is gone', async () => {
    const theirs = await aPrinter(lab.app, lab.stranger)
    const page = await browser()
    page.send({ watch: [lab.first.id, theirs.id, 2_000_000_000] })
    await holds(page, lab.first.id, ({ name }) => name === 'First')
    await page.hear(({ gone }) => gone?.includes(theirs.id) && gone.includes(2_000_000_000))
    expect([...held(page).keys()]).toEqual([lab.first.id])
    const { agent: _, ...rest } = held(page).get(lab.first.id)
    expect(await shown(lab.first.id)).toMatchObject(rest)
    expect(JSON.stringify(page.heard)).not.toContain(theirs.auth_token)
  })

  it('then only what changes, put together to what REST says', async () => {
    const page = await browser()
    page.send({ watch: [lab.first.id, lab.second.id] })
    await holds(page, lab.second.id, () => true)
    const agent = await agentOf(lab.first.auth_token)
    agent.send({ status: status({ n: 1, gone: 'soon' }) })
    await holds(page, lab.first.id, (printer) => printer.status?.n === 1)
    const from = page.heard.length
    agent.send({ status: status({ n: 2 }) })
    await holds(page, lab.first.id, (printer) => printer.status?.n === 2)
    const texts = JSON.stringify(page.heard.slice(from))
    expect(texts).not.toContain('file_metadata')
    expect(texts.length).toBeLessThan(600)
    expect(held(page).get(lab.first.id).status.gone).toBeNull()
    await call(lab.app, 'PATCH', `/api/v1/printers/${lab.first.id}/`, {
      cookie: lab.owner.cookie,
      body: { name: 'Other' },
    })
    await holds(page, lab.first.id, ({ name }) => name === 'Other')
    const { agent: told, status: held1, ...rest } = held(page).get(lab.first.id)
    const rest1 = await shown(lab.first.id)
    expect(rest1).toMatchObject(rest)
    expect(rest1.agent.state).toBe(told.state)
    expect({ ...held1, gone: undefined }).toEqual({ ...rest1.status, gone: undefined })
    agent.ws.close()
    await holds(page, lab.first.id, (printer) => printer.status === null && printer.agent.state === 'offline')
  })

  it('a second apart at least, and the last word is always told', async () => {
    const page = await browser()
    page.send({ watch: [lab.first.id] })
    await holds(page, lab.first.id, () => true)
    const agent = await agentOf(lab.first.auth_token)
    const began = Date.now()
    for (let n = 0; n < 60; n++) {
      agent.send({ status: status({ n }) })
      // How many a second is the question, so it is real time.
      await sleep(30)
    }
    await holds(page, lab.first.id, (printer) => printer.status?.n === 59)
    const patches = page.heard.flatMap(({ patches }) => patches ?? [])
    expect(patches.length).toBeLessThanOrEqual((Date.now() - began) / 1000 + 3)
  })

  it('a deleted printer is gone, its token is heard no more; the socket stays for the others', async () => {
    const page = await browser()
    page.send({ watch: [lab.first.id, lab.second.id] })
    await holds(page, lab.second.id, () => true)
    await call(lab.app, 'DELETE', `/api/v1/printers/${lab.first.id}/`, { cookie: lab.owner.cookie })
    await page.hear(({ gone }) => gone?.includes(lab.first.id))
    page.send({ watch: [lab.second.id, lab.first.id] })
    await call(lab.app, 'PATCH', `/api/v1/printers/${lab.second.id}/`, {
      cookie: lab.owner.cookie,
      body: { name: 'Still' },
    })
    await holds(page, lab.second.id, ({ name }) => name === 'Still')
    expect(page.closed).toBeNull()
  })

  it('what is not watched any more is silent', async () => {
    const page = await browser()
    page.send({ watch: [lab.first.id, lab.second.id] })
    await holds(page, lab.second.id, () => true)
    const third = await aPrinter(lab.app, lab.owner, 'Third')
    page.send({ watch: [lab.second.id, third.id] })
    await holds(page, third.id, () => true)
    const from = page.heard.length
    await call(lab.app, 'PATCH', `/api/v1/printers/${lab.first.id}/`, {
      cookie: lab.owner.cookie,
      body: { name: 'Unheard' },
    })
    await call(lab.app, 'PATCH', `/api/v1/printers/${lab.second.id}/`, {
      cookie: lab.owner.cookie,
      body: { name: 'Heard' },
    })
    await holds(page, lab.second.id, ({ name }) => name === 'Heard')
    expect(JSON.stringify(page.heard.slice(from))).not.toContain('Unheard')
  })

  it('ends with the session; hostile frames harm nothing', async () => {
    const page = await browser()
    for (const text of [
      '7',
      '[]',
      '{"watch":7}',
      '{"watch":[-1]}',
      `{"watch":[${'1,'.repeat(2000)}1]}`,
      '{"viewing":"all"}',
      '{',
    ])
      page.send(text)
    page.send({ watch: [lab.first.id] })
    await holds(page, lab.first.id, () => true)
    await call(lab.app, 'POST', '/api/v1/auth/logout/', { cookie: lab.owner.cookie })
    await eventually(() => page.closed === 4401 || undefined)
  })

  it('age changes what is claimed, without any news', async () => {
    const page = await browser()
    const seenAt = lab.app.ctx.clock.now()
    const record = { state: 'connected', seenAt, reportedAt: seenAt, epoch: 1, needsRestart: false } as const
    await putAgent(lab.app.ctx, asId(lab.first.id), record, 0)
    page.send({ watch: [lab.first.id] })
    await holds(page, lab.first.id, (printer) => printer.agent.state === 'connected')
    lab.app.advance(71_000)
    await holds(page, lab.first.id, (printer) => printer.agent.state === 'not_responding')
  })
})
