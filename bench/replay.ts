/**
 * Replays scored prints through the two decision logics that the server has: `node bench/replay.ts FILE…`.
 *
 * A file has one print a line: `{"id" or "seed", "onset": index of the first failing frame or null, "seconds": 10,
 * "frames": [{"score", "heat": {"width", "height", "values", "odds"}, "at", "blind"}]}`. `values` and `odds` are
 * base64 of a byte a cell, row by row (docs/detector.md says which); one of the two is enough, and `seconds`, `at`
 * (epoch milliseconds) and `blind` may be absent. Scores must not be rounded.
 *
 * Prints one JSON object a print: its id or seed, and for `classic` and `steady` the indices of the frames of the
 * first `warn` and `pause`, or null. `--summary` prints a table over all prints instead; `--sensitivity` is 1.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import type { Heat } from '../server/modules/watch/temporal/heat-grid.rules.ts'
import {
  type First,
  replay,
  type RecordedPrint,
  tally,
} from '../server/modules/watch/deciding/replay.rules.ts'

interface Line {
  id?: string
  seed?: number
  onset: number | null
  seconds?: number
  frames: { score: number; at?: number; blind?: boolean; heat: PackedHeat | null }[]
}

interface PackedHeat {
  width: number
  height: number
  values?: string
  odds?: string
}

const unpack = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

function heatOf({ width, height, values, odds }: PackedHeat): Heat {
  return {
    width,
    height,
    values: values === undefined ? new Uint8Array(width * height) : unpack(values),
    ...(odds !== undefined && { odds: unpack(odds) }),
  }
}

const printOf = ({ frames, onset, seconds }: Line): RecordedPrint => ({
  onset,
  ...(seconds !== undefined && { seconds }),
  frames: frames.map(({ heat, ...frame }) => ({ ...frame, heat: heat && heatOf(heat) })),
})

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { summary: { type: 'boolean', default: false }, sensitivity: { type: 'string', default: '1' } },
})

const told: { print: RecordedPrint; classic: First; steady: First }[] = []
for (const file of files) {
  for await (const text of createInterface({ input: createReadStream(file) })) {
    if (text.trim() === '') continue
    const line = JSON.parse(text) as Line
    const print = printOf(line)
    const { classic, steady } = replay(print, { sensitivity: Number(options.sensitivity) })
    // The maps are not needed for the sums.
    const frames = print.frames.map(({ score }) => ({ score, heat: null }))
    told.push({ print: { ...print, frames }, classic, steady })
    const { id, seed, onset } = line
    if (!options.summary) console.log(JSON.stringify({ id, seed, onset, classic, steady }))
  }
}
if (options.summary) {
  for (const logic of ['classic', 'steady'] as const) {
    const { prints, failing, soundHours, ...outcomes } = tally(
      told.map((one) => ({ print: one.print, first: one[logic] })),
    )
    console.log(`${logic}: ${prints} prints, ${failing} fail, ${soundHours.toFixed(1)} sound hours`)
    for (const [kind, { caught, missed, falsely, falsePerHour, delay }] of Object.entries(outcomes)) {
      const late = delay === null ? '-' : `${delay[0]} s (90 %: ${delay[1]} s)`
      console.log(
        `  ${kind.padEnd(5)}  caught ${caught}, missed ${missed}, false ${falsely} (${falsePerHour.toFixed(2)}/h), delay ${late}`,
      )
    }
  }
}
