/** What servers of tests warn of, which a test that fails says: its cause may stand there alone. */
import type { TestContext } from 'vitest'

const MOST = 30
let lines: string[] = []

/** Where their logs go (`app.ts`), unless TEST_LOG has them printed. */
export const warnings = {
  write: (line: string) => void (lines = [...lines.slice(1 - MOST), line.slice(0, 1_000)]),
}

/** Before each test. */
export function tellWarnings({ onTestFailed }: TestContext): void {
  lines = []
  onTestFailed(() => console.log(`What servers warned of in it:\n${lines.join('')}`))
}
