/** Replays rendered prints (one JSON a line) through the server's two decision logics: first warning and first pause. */
import { readFileSync } from 'node:fs'
import * as classic from '../../server/modules/detection/classic.rules.ts'
import * as steady from '../../server/modules/detection/steady.rules.ts'
import { newSteadyState } from '../../server/modules/detection/steady-state.rules.ts'

interface Row {
  seed: number
  frames: { score: number; heat: { width: number; height: number; values: string } }[]
}

/** The first frame at which each thing was decided. */
class First {
  warn: number | null = null
  pause: number | null = null

  note(n: number, decision: { shouldAlert: boolean; shouldPause: boolean }) {
    if (decision.shouldAlert || decision.shouldPause) this.warn ??= n
    if (decision.shouldPause) this.pause ??= n
  }
}

for (const line of readFileSync(process.argv[2]!, 'utf8').trim().split('\n')) {
  const row = JSON.parse(line) as Row
  const result = { seed: row.seed, classic: new First(), steady: new First() }
  let old = classic.newClassicState()
  let ours = newSteadyState()
  row.frames.forEach(({ score, heat }, n) => {
    old = classic.update(old, score)
    result.classic.note(n, classic.decide(old, 1))
    const values = new Uint8Array(Buffer.from(heat.values, 'base64'))
    ours = steady.update(ours, { at: (n + 1) * 10_000, score, heat: { ...heat, values }, usable: true })
    result.steady.note(n, steady.decide(ours, 1))
  })
  console.log(JSON.stringify(result))
}
