import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** An S3 server for tests. */
export interface TestS3 {
  readonly url: string
  stop(): void
}

/** The Python of an environment with these packages, which is made in the folder for temporary files the first time. */
export async function pythonWith(name: string, packages: readonly string[]): Promise<string> {
  const folder = join(tmpdir(), name)
  const python = join(folder, 'bin/python')
  const marker = join(folder, 'installed')
  if (existsSync(marker)) return python
  await rm(folder, { recursive: true, force: true })
  await run('python3', ['-m', 'venv', folder])
  await run(join(folder, 'bin/pip'), ['install', '-q', '--disable-pip-version-check', ...packages])
  await writeFile(marker, '')
  return python
}
