import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { filesOfAll, isAll } from './scripts/suites.ts'

const alone = ['server/**/*.property.test.ts', 'server/test/metrics.test.ts']
// they begin programs, which wait for nothing: they stand beside the journeys, so that both lanes end together (scripts/test.mjs)
const programs = ['server/cli/**/*.test.ts', 'server/supervisor/**/*.test.ts']
// As `./vigil` sets it: what tests start reads compiled code, too.
const { NODE_COMPILE_CACHE = join(import.meta.dirname, 'node_modules/.cache/node') } = process.env
const each = './scripts/each.setup.ts'
const eachOfWeb = join(import.meta.dirname, each)
const left = isAll ? [] : filesOfAll
const postgres = ['./server/test/pg.global.ts']

export default defineConfig({
  test: {
    env: { ORT_DISABLE_TELEMETRY: '1', NODE_COMPILE_CACHE },
    // not more than cores: what is slower by others is what fails
    maxWorkers: availableParallelism(),
    pool: 'forks',
    reporters: ['default', './scripts/plain-line.ts'],
    // What is waited for comes late on a busy machine: these only end what would never end.
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'simulator',
          include: ['simulator/**/*.test.ts'],
          setupFiles: [each, './server/test/timeouts.setup.ts'],
        },
      },
      {
        extends: './web/vite.config.ts',
        // rules: nothing that one file could leave to the next
        test: { name: 'web', include: ['web/src/**/*.test.ts'], isolate: false, setupFiles: [eachOfWeb] },
      },
      // parts as a person uses them, in a page that is simulated, one for all files of a worker
      {
        extends: './web/vite.config.ts',
        test: {
          name: 'parts',
          include: ['web/src/**/*.test.tsx'],
          testTimeout: 120_000,
          environment: join(import.meta.dirname, 'web/test/page.environment.ts'),
          isolate: false,
          environmentOptions: { happyDOM: { url: 'http://vigil.test/' } },
          setupFiles: [eachOfWeb, join(import.meta.dirname, 'web/test/component.setup.ts')],
        },
      },
      { extends: true, test: { name: 'house', include: ['scripts/**/*.test.ts'], setupFiles: [each] } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: [...alone, ...programs, ...left],
          globalSetup: postgres,
          // a worker reads the server once for all its files: half of what they cost
          isolate: false,
          setupFiles: [each, './server/test/each.setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: programs,
          exclude: [...alone, ...left],
          globalSetup: postgres,
          isolate: false,
          setupFiles: [each, './server/test/each.setup.ts'],
        },
      },
      // modules are put in the place of others, or a process is counted: no file before them may have been there
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
          globalSetup: postgres,
          setupFiles: [each, './server/test/each.setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: left,
          setupFiles: [each],
          globalSetup: [...postgres, './e2e/servers.global.ts'],
          // a worker has one chromium for all its files (e2e/browsers.ts), and a server for most (e2e/vigil.ts)
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
