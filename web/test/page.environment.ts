import { builtinEnvironments, type Environment } from 'vitest/runtime'

/** The simulated page of this worker. */
let page: ReturnType<Environment['setup']> | undefined

/**
 * One simulated page for all files of a worker: React and what is built on it belong to the document in which they were first read, and
 * reading them is half of what a file costs. `component.setup.ts` empties it after each test.
 */
const environment: Environment = {
  ...builtinEnvironments['happy-dom'],
  name: 'page',
  async setup(global, options) {
    page ??= builtinEnvironments['happy-dom'].setup(global, options)
    await page
    return { teardown: () => undefined }
  },
}

export default environment
