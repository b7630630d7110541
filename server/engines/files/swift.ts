import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pythonOf, type TestS3 } from './python.ts'

/** Keys of the account that this server has. */
export const SWIFT_KEYS = { accessKeyId: 'test:tester', secretAccessKey: 'testing' } as const

/**
 * Starts OpenStack Swift with its S3 interface (https://docs.openstack.org/swift), an object store that is in real use, on
 * one node for tests. Raises where it is not installed.
 */
export async function startSwift(): Promise<TestS3> {
  const python = pythonOf('swift')
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
