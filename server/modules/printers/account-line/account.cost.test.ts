import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { aPrinter } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { keys, topics } from '../../core/presence/names.ts'
import { accountLab } from './account.fixture.ts'
import { asId } from '../../../test/ids.ts'

const lab = accountLab()
const { browser } = lab

describe('the account’s socket', () => {
  it('200 printers with a status a second each cost little', async () => {
    const ids: number[] = []
    for (let i = 0; i < 200; i++) ids.push((await aPrinter(lab.app, lab.owner, `P${i}`)).id)
    const seenAt = lab.app.ctx.clock.now()
    for (const id of ids)
      await lab.app.ctx.live.put(
        keys.agent(asId(id)),
        JSON.stringify({ state: 'connected', seenAt, epoch: 1 }),
        600_000,
      )
    const page = await browser()
    page.send({ watch: ids })
    await eventually(
      () => page.heard.flatMap(({ printers }) => printers ?? []).length === 200 || undefined,
      60_000,
    )
    page.ws.removeAllListeners('message')
    let bytes = 0
    page.ws.on('message', (data: Buffer) => (bytes += data.length))
    const metadata = {
      obico: { totalLayerCount: 200 },
      analysis: { printingArea: { maxZ: 20 } },
      thumbnails: 'x'.repeat(800),
    }
    // Processor time is spent in real time: there is nothing else to wait for.
    const idle = process.cpuUsage()
    await sleep(1_500)
    const rest = process.cpuUsage(idle)
    const start = process.cpuUsage()
    const SECONDS = 4
    const turn = setInterval(() => {
      for (const id of ids.splice(0, 20)) {
        ids.push(id)
        const now = Date.now() / 1000
        const one = {
          _ts: now,
          state: { text: 'Printing', flags: { printing: true, operational: true } },
          job: { file: { name: 'a.gcode', path: 'a.gcode' } },
          progress: { completion: now % 100, printTime: now % 1000, printTimeLeft: 10 },
          temperatures: {
            extruder: { actual: now % 200, target: 200, offset: 0 },
            heater_bed: { actual: 60, target: 60, offset: 0 },
          },
          currentZ: now % 20,
          file_metadata: metadata,
        }
        lab.app.ctx.live.publish(topics.news(asId(id)), `{"kind":"status","status":${JSON.stringify(one)}}`)
      }
    }, 100)
    await sleep(SECONDS * 1_000)
    clearInterval(turn)
    const used = process.cpuUsage(start)
    const busy = (used.user + used.system) / SECONDS - (rest.user + rest.system) / 1.5
    const perStatus = busy / 200
    process.stderr.write(
      `account socket: ${perStatus.toFixed(0)} µs and ${(bytes / SECONDS / 200).toFixed(0)} bytes a status\n`,
    )
    expect(perStatus).toBeLessThan(1_000)
    expect(bytes / SECONDS / 200).toBeLessThan(1_000)
  })
})
