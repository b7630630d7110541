import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pythonWith, type TestS3 } from './python.ts'

/** Keys of the account that this server has. */
export const SWIFT_KEYS = { accessKeyId: 'test:tester', secretAccessKey: 'testing' } as const

/**
 * Starts OpenStack Swift with its S3 interface (https://docs.openstack.org/swift), an object store that is in real use, on
 * one node for tests. The first time it is installed into `vigil-swift-2.35.5` in the folder for temporary files (python3
 * with venv, 10 s). Raises when it can't be.
 */
export async function startSwift(): Promise<TestS3> {
  const python = await pythonWith('vigil-swift-2.35.5', ['swift==2.35.5'])
  const folder = await mkdtemp(join(tmpdir(), 'vigil-swift-'))
  const program = join(import.meta.dirname, 'swift_s3.py')
  const child = spawn(python, ['-W', 'ignore', program, folder], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  child.stderr.on('data', (text: Buffer) => said.push(String(text)))
  const stop = () => {
    child.kill('SIGKILL')
    void rm(folder, { recursive: true, force: true })
  }
  for await (const url of createInterface(child.stdout)) return { url, stop }
  stop()
  throw new Error(`Swift did not start: ${said.join('')}`)
}
