import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { isAll, testsOfAll } from './suites.ts'
import { usedSeconds } from './used.ts'

const fileNow = () => relative(process.cwd(), expect.getState().testPath ?? '')

if (!isAll)
  beforeEach(({ task, skip }) => {
    const left = testsOfAll.find(({ file, name }) => task.name.startsWith(name) && file === fileNow())
    if (left) skip(left.reason)
  })

const into = process.env['VIGIL_TEST_TIMES']
if (into !== undefined) {
  let began = { wall: 0, used: 0 }
  beforeAll(() => {
    began = { wall: performance.now(), used: usedSeconds() }
  })
  // What began first ends last: after the file has closed what it opened.
  afterAll(() => {
    const file = fileNow()
    const wall = (performance.now() - began.wall) / 1000
    appendFileSync(into, `${JSON.stringify({ file, wall, used: usedSeconds() - began.used })}\n`)
  })
}
