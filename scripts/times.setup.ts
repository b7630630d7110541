import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { usedSeconds } from './used.ts'

const into = process.env['VIGIL_TEST_TIMES']
if (into !== undefined) {
  let began = { wall: 0, used: 0 }
  beforeAll(() => {
    began = { wall: performance.now(), used: usedSeconds() }
  })
  // What began first ends last: after the file has closed what it opened.
  afterAll(() => {
    const file = relative(process.cwd(), expect.getState().testPath ?? '')
    const wall = (performance.now() - began.wall) / 1000
    appendFileSync(into, `${JSON.stringify({ file, wall, used: usedSeconds() - began.used })}\n`)
  })
}
