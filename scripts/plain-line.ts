import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Ends a test run with one plain line that people and programs can read; `./vigil test` gets the counts. */
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
    if (file) writeFileSync(file, JSON.stringify({ passed, failed }))
    else console.log(`${passed} passed, ${failed} failed`)
  }
}
