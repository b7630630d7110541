import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { usedSeconds } from './used.ts'

/** What of a file failed, with the first line of each reason. */
function failuresOf(module: TestModule): string[] {
  const ofTests = [...module.children.allTests('failed')].map(
    (test) => `${test.fullName}: ${firstLine(test.result().errors?.[0]?.message)}`,
  )
  const ofSuites = [...module.children.allSuites()].flatMap((suite) => suite.errors())
  return [...ofTests, ...[...module.errors(), ...ofSuites].map(({ message }) => firstLine(message))]
}

const firstLine = (message = '') => message.split('\n', 1).join('').slice(0, 300)

/** An error that no test caught carries the file that ran then. */
const fileOf = (error: unknown): string | undefined =>
  (error as { VITEST_TEST_PATH?: string }).VITEST_TEST_PATH

/** Ends a test run with one plain line that people and programs can read; `./vigil test` gets the counts and what failed. */
export default class PlainLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0
    let failed = errors.length
    for (const module of modules) {
      if (module.state() === 'failed' && module.errors().length > 0) failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else if (state === 'failed') failed++
      }
    }
    const file = process.env['VIGIL_TEST_COUNTS']
    const failures = modules
      .map((module) => ({
        file: relative(process.cwd(), module.moduleId),
        reasons: [
          ...failuresOf(module),
          ...errors
            .filter((error) => fileOf(error) === module.moduleId)
            .map((error) => `no test caught: ${firstLine((error as { message?: string }).message)}`),
        ],
      }))
      .filter(({ reasons }) => reasons.length > 0)
    if (file) writeFileSync(file, JSON.stringify({ passed, failed, failures, used: usedSeconds() }))
    else console.log(`${passed} passed, ${failed} failed`)
  }
}
