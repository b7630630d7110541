/**
 * The process that carries video from printers to viewers: no database, no secrets, no files. WebRTC is native code that strangers
 * speak to; what befalls it here does not befall the server, which watches prints (docs/decisions/0014).
 */
import { getPriority, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { NoWebrtc, type Webrtc } from '../../../engines/webrtc/port.ts'
import { openWebrtc } from '../../../engines/webrtc/webrtc.ts'
import { Desk } from './sfu.ts'
import type { FromFanout, ToFanout } from './messages.ts'

/** Who watches prints goes first. */
const NICENESS = 5
const TICK_MS = 2_000
const PORT_TRIES = 10
const PORT_AGAIN_MS = 300

const desks = new Map<number, Desk>()
let webrtc: Webrtc | null = null

const tell = (message: FromFanout) => void process.send?.(message)

function deskOf(line: number, connections: Webrtc): Desk {
  const open = desks.get(line)
  if (open) return open
  const desk = new Desk({
    webrtc: connections,
    say: (request) => tell({ kind: 'say', line, request }),
    answer: (answer) => tell({ kind: 'answer', line, answer }),
    now: () => performance.now(),
  })
  desks.set(line, desk)
  return desk
}

async function begin(
  options: { port: number; host: string; addresses: readonly string[] },
  tries = 0,
): Promise<void> {
  try {
    webrtc = await openWebrtc(options)
    tell({ kind: 'ready' })
  } catch (error) {
    if (!(error instanceof NoWebrtc)) throw error
    // The process of a server that has just stopped may have the port still.
    if (!error.mayPass || tries >= PORT_TRIES) return tell({ kind: 'impossible', why: error.message })
    await sleep(PORT_AGAIN_MS)
    return await begin(options, tries + 1)
  }
}

process.on('message', (message: ToFanout) => {
  if (message.kind === 'begin') return void begin(message)
  const { line } = message
  if (webrtc === null) return
  if (message.kind === 'ask') deskOf(line, webrtc).ask(message.request)
  if (message.kind === 'heard') desks.get(line)?.hear(message.answer)
  if (message.kind === 'over') {
    desks.get(line)?.end()
    desks.delete(line)
  }
})
// The library's threads would go on for ever.
process.on('disconnect', () => process.exit())
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)

setInterval(() => {
  for (const desk of desks.values()) desk.tick()
}, TICK_MS)
if (getPriority() < NICENESS) setPriority(NICENESS)
