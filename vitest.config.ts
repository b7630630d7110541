import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const postgres = ['./server/test/pg.global.ts']
const patience = './server/test/patience.setup.ts'

export default defineConfig({
  test: {
    env: { ORT_DISABLE_TELEMETRY: '1' },
    maxWorkers: Math.min(2, availableParallelism()),
    pool: 'forks',
    reporters: ['default', './scripts/plain-line.ts'],
    testTimeout: 30_000,
    // What is waited for comes late on a busy machine: a second, as is usual, is no time.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'simulator', include: ['simulator/**/*.test.ts'], setupFiles: [patience] },
      },
      { extends: './web/vite.config.ts', test: { name: 'web', include: ['web/src/**/*.test.{ts,tsx}'] } },
      { extends: true, test: { name: 'house', include: ['scripts/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: postgres,
          setupFiles: [patience, './server/test/document.setup.ts', './server/test/transactions.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: postgres,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
