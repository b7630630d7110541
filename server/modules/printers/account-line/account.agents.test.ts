import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { aPrinter } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { openBrowser } from '../../../test/wire/browser.ts'
import { accountLab, holds } from './account.fixture.ts'

const lab = accountLab()
const { agentOf, browser } = lab

describe('the account’s socket and its agents', () => {
  it('agents hear of a viewer only while their card is on screen', async () => {
    const [a, b] = [await agentOf(lab.first.auth_token), await agentOf(lab.second.auth_token)]
    const page = await browser()
    page.send({ watch: [lab.first.id, lab.second.id], viewing: [lab.second.id] })
    await b.hear(({ remote_status }) => remote_status?.viewing === true)
    page.send({ viewing: [lab.first.id] })
    await a.hear(({ remote_status }) => remote_status?.viewing === true)
    await eventually(() => b.heard.at(-1)?.remote_status?.viewing === false || undefined)
    page.ws.close()
    await eventually(() => a.heard.at(-1)?.remote_status?.viewing === false || undefined)
  })

  it('a page that cannot make up its mind does not drive its agents mad', async () => {
    const agent = await agentOf(lab.first.auth_token)
    const page = await browser()
    for (let i = 0; i < 400; i++) {
      page.send({ watch: [lab.first.id], viewing: i % 2 === 0 ? [lab.first.id] : [] })
      // Its changes of mind are spread over some of the frames, which real time divides.
      if (i % 10 === 0) await sleep(20)
    }
    page.send({ watch: [lab.first.id, lab.second.id] })
    // What it wanted last has been followed.
    await holds(page, lab.second.id, () => true)
    await eventually(() => agent.heard.at(-1)?.remote_status?.viewing === false || undefined)
    page.send({ viewing: [lab.first.id] })
    await eventually(() => agent.heard.at(-1)?.remote_status?.viewing === true || undefined)
    expect(agent.heard.length).toBeLessThan(20)
  })

  it('passes calls to the one that is named, and answers with its id', async () => {
    const [a, b] = [await agentOf(lab.first.auth_token), await agentOf(lab.second.auth_token)]
    const page = await browser()
    page.send({ watch: [lab.first.id, lab.second.id] })
    await holds(page, lab.second.id, () => true)
    page.send({ id: lab.second.id, passthru: { ref: 'r', target: '_printer', func: 'home', args: [['x']] } })
    await b.hear(({ passthru }) => passthru !== undefined)
    b.send({ passthru: { terminal_feed: { msg: 'ok' } } })
    b.send({ passthru: { ref: 'r', ret: null } })
    expect(await page.hear(({ passthru }) => passthru !== undefined)).toEqual({
      id: lab.second.id,
      passthru: { ref: 'r', ret: null },
      type: 'web.message',
    })
    a.send({ passthru: { printer_event: { event_title: 'Hot' } } })
    await page.hear(({ id, passthru }) => id === lab.first.id && passthru.printer_event.event_title === 'Hot')
    expect(a.heard.some(({ passthru }) => passthru)).toBe(false)
    const theirs = await aPrinter(lab.app, lab.stranger)
    const foreign = await agentOf(theirs.auth_token)
    page.send({ id: theirs.id, passthru: { ref: 'q', target: '_printer', func: 'home', args: [['x']] } })
    const theirPage = await openBrowser(lab.app, '/ws/web/all/', lab.stranger.cookie)
    theirPage.send({ watch: [theirs.id] })
    await holds(theirPage, theirs.id, () => true)
    theirPage.send({
      id: theirs.id,
      passthru: { ref: 'own', target: '_printer', func: 'home', args: [['x']] },
    })
    await foreign.hear(({ passthru }) => passthru !== undefined)
    theirPage.ws.close()
    expect(foreign.heard.filter(({ passthru }) => passthru)).toMatchObject([{ passthru: { ref: 'own' } }])
  })
})
