import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')

/** Builds the client as it is now, as it ships, into a folder of its own that lasts as long as `use`. */
export async function withClient<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-client-'))
  try {
    const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
    const options = ['build', '--manifest', '--emptyOutDir', '--logLevel', 'warn', '--outDir', folder]
    await promisify(execFile)(process.execPath, [vite, ...options], { cwd: join(ROOT, 'web') })
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
