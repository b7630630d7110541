/**
 * How the decision fares where a print is odd from its first minute: `node odd.mts RENDERED.jsonl ODD.jsonl [REAL.jsonl]`,
 * scored prints as bench/replay.ts reads them. Prints a table: each row replays cached scores through the server's rules.
 *
 * ODD has pairs on one camera (`3000` fails, `3001` is its sound twin); RENDERED the prints of the report, cut so that a
 * failure begins within the first minute, or has begun before anybody looked.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { resetForPrint, type SteadyState } from '../../server/modules/watch/temporal/steady-state.rules.ts'
import { type RecordedPrint, replay } from '../../server/modules/watch/deciding/replay.rules.ts'

interface Print extends RecordedPrint {
  id: number | string
}
interface Line {
  id?: string
  seed?: number
  onset: number | null
  frames: {
    score: number
    at?: number
    blind?: boolean
    heat: { width: number; height: number; odds: string }
  }[]
}

async function printsOf(file: string | undefined): Promise<Print[]> {
  if (file === undefined) return []
  const found: Print[] = []
  for await (const text of createInterface({ input: createReadStream(file) })) {
    const { id, seed, onset, frames }: Line = JSON.parse(text)
    found.push({
      id: id ?? seed ?? '',
      onset,
      frames: frames.map(({ score, blind = false, heat }) => {
        const odds = new Uint8Array(Buffer.from(heat.odds, 'base64'))
        return {
          score,
          blind,
          heat: { width: heat.width, height: heat.height, values: new Uint8Array(odds.length), odds },
        }
      }),
    })
  }
  return found
}

/** The print as it would be if watching began at frame `from`. */
const since = ({ id, onset, frames }: Print, from: number): Print => ({
  id,
  onset: onset === null ? null : Math.max(0, onset - from),
  frames: frames.slice(from),
})

/** What a printer remembers after these prints. */
function after(prints: readonly Print[]): SteadyState | undefined {
  let camera: SteadyState | undefined
  for (const print of prints) camera = resetForPrint(replay(print, camera ? { camera } : {}).state)
  return camera
}

type Case = readonly [print: Print, before: readonly Print[]]

/** One row: of so many prints, warned and paused before the failure or without one; warned and paused of it, and how late. */
function row(name: string, cases: readonly Case[]): string {
  const told = cases.map(([print, before]) => {
    const camera = after(before)
    return { onset: print.onset, ...replay(print, camera ? { camera } : {}).steady }
  })
  const failing = told.filter(({ onset }) => onset !== null)
  const falsely = (kind: 'warn' | 'pause') =>
    told.filter((one) => one[kind] !== null && (one.onset === null || one[kind] < one.onset)).length
  const caught = (kind: 'warn' | 'pause') => {
    if (failing.length === 0) return '-'
    const late = failing
      .filter((one) => one[kind] !== null && one[kind] >= (one.onset ?? 0))
      .map((one) => ((one[kind] ?? 0) - (one.onset ?? 0)) * 10)
      .sort((a, b) => a - b)
    const median = late[Math.floor((late.length - 1) / 2)]
    return `${late.length} of ${failing.length}${median === undefined ? '' : ` (${median} s)`}`
  }
  if (process.env['SHOW']) for (const [i, [print]] of cases.entries()) console.error(name, print.id, JSON.stringify(told[i]))
  return `| ${name} | ${cases.length} | ${falsely('warn')} | ${falsely('pause')} | ${caught('warn')} | ${caught('pause')} |`
}

const [rendered = '', odd = '', real] = process.argv.slice(2)
const [usual, pairs, lived] = [await printsOf(rendered), await printsOf(odd), await printsOf(real)]
const alone = (prints: readonly Print[]): Case[] => prints.map((print) => [print, []])
const twins = pairs.flatMap((print) => {
  const sound = pairs.find(({ id }) => id === Number(print.id) + 1)
  return print.onset === null || !sound ? [] : [{ print, sound }]
})
const fails = usual.filter(({ onset }) => onset !== null)
const calm = usual.filter(({ onset }) => onset === null)
const kinds: [string, (print: Print) => boolean][] = [
  ['late', ({ onset }) => Number(onset) >= 24],
  ['within the first layers', ({ onset }) => Number(onset) > 0 && Number(onset) < 24],
  ['before anybody looked', ({ onset }) => onset === 0],
]
console.log(
  [
    '| prints | of them | false warnings | false pauses | warned of (median after onset) | paused (median) |',
    '| --- | --- | --- | --- | --- | --- |',
    row('usual, the whole', alone(usual)),
    ...[3, 6, 9].map((early) =>
      row(
        `usual, failing ${early} frames after watching began`,
        alone(fails.map((print) => since(print, Math.max(0, Number(print.onset) - early)))),
      ),
    ),
    ...[6, 12, 18].map((late) =>
      row(
        `usual, watched from ${late} frames after the failure began`,
        alone(fails.map((print) => since(print, Number(print.onset) + late))),
      ),
    ),
    row('usual and sound, watched from the 60th frame', alone(calm.map((print) => since(print, 60)))),
    row('usual, after half an hour of the camera', fails.flatMap((print): Case[] => {
      const begun = Math.floor(Number(print.onset) / 2)
      return begun < 8 ? [] : [[since(print, begun), [{ id: '', onset: null, frames: print.frames.slice(0, begun) }]]]
    })),
    row('odd and sound', alone(pairs.filter(({ onset }) => onset === null))),
    row('odd and sound, the same twice before', pairs.filter(({ onset }) => onset === null).map((print): Case => [print, [print, print]])),
    ...kinds.flatMap(([name, is]) => {
      const some = twins.filter(({ print }) => is(print))
      return [
        row(`odd, failing ${name}`, alone(some.map(({ print }) => print))),
        row(`the same after two sound prints of the camera`, some.map(({ print, sound }): Case => [print, [sound, sound]])),
      ]
    }),
    ...lived.flatMap((print) => [
      row(`${print.id}, the whole`, alone([print])),
      ...[-9, -3, 6, 12, 18].map((by) =>
        row(`${print.id}, watched from ${Math.abs(by)} frames ${by < 0 ? 'before' : 'after'} the failure began`, alone([since(print, Number(print.onset) + by)])),
      ),
    ]),
  ].join('\n'),
)
