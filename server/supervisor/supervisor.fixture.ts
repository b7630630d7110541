/** A small server behind a keeper, in processes of their own (keeper.test.ts, hang.test.ts, storm.test.ts). */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import websocket from '@fastify/websocket'
import Fastify from 'fastify'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import { eventually } from '../test/eventually.ts'
import { endHalfClosed } from '../http/goodbye.ts'
import { keep } from '../supervisor.ts'
import { answerKeeper } from './answer.ts'

const inFolder = (name: string) => join(process.env['VIGIL_DATA'] ?? '', name)
const until = (isSo: () => boolean) => eventually(() => isSo() || undefined)

if (process.send) {
  answerKeeper(async () => {
    // A program that is slow to load.
    await until(() => !existsSync(inFolder('unloaded')))
    return {
      graceMs: 5_000,
      async start(databaseUrl) {
        if (databaseUrl.endsWith('/broken')) throw new Error('no such database')
        if (databaseUrl.endsWith('/slow')) await until(() => existsSync(inFolder('go')))
        const app = Fastify({
          logger: { level: 'warn', stream: process.stderr },
          disableRequestLogging: true,
        })
        await app.register(websocket)
        endHalfClosed(app)
        app.get('/', () => ({ pid: process.pid }))
        let [inTurn, most] = [0, 0]
        app.server.on('connection', () => {
          if (inTurn++ === 0) setImmediate(() => (inTurn = 0))
          most = Math.max(most, inTurn)
        })
        app.get('/most', () => ({ most }))
        // Begins, and then answers when it may.
        app.get('/slow', async () => {
          writeFileSync(inFolder('asked'), '')
          await until(() => existsSync(inFolder('answer')))
          rmSync(inFolder('answer'))
          return { pid: process.pid }
        })
        app.get('/crash', () => process.exit(3))
        app.get('/loop', function loopForEver() {
          for (;;);
        })
        // Long work in one turn of the loop: so much processor time, however long that takes.
        app.get('/work/:ms', (request) => {
          writeFileSync(inFolder('asked'), '')
          const began = process.cpuUsage()
          const { ms } = request.params as { ms: string }
          for (let used = 0; used < Number(ms) * 1000;) {
            const { user, system } = process.cpuUsage(began)
            used = user + system
          }
          return { pid: process.pid }
        })
        app.get('/ws', { websocket: true }, (socket) => socket.send(String(process.pid)))
        await app.ready()
        return { app, setupLink: '/setup/?token=x', close: () => app.close() }
      },
    }
  })
} else {
  const config = readConfig({ ...process.env, VIGIL_SECRET: 'x'.repeat(32) })
  await keep({
    config,
    log: pino({ level: 'warn' }, pino.destination({ fd: 2, sync: true })),
    env: process.env,
    script: import.meta.filename,
    ...(process.env['SILENT_MS'] && { silentMs: Number(process.env['SILENT_MS']) }),
    onReady: (at) => console.log(JSON.stringify(at)),
  }).catch((error: Error) => {
    console.log(JSON.stringify({ failed: error.message }))
    process.exitCode = 1
  })
}
