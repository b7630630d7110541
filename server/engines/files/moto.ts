import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pythonOf, type TestS3 } from './python.ts'

/** Starts moto (https://docs.getmoto.org), an S3 server in Python, for tests. Raises where it is not installed. */
export async function startMoto(): Promise<TestS3> {
  const python = pythonOf('moto')
  const args = ['-u', join(dirname(python), 'moto_server'), '-H', '127.0.0.1', '-p', '0']
  const child = spawn(python, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  return { url: await addressOf(child), stop: () => void child.kill('SIGKILL') }
}

async function addressOf(child: ChildProcess): Promise<string> {
  const said: string[] = []
  for await (const line of createInterface(child.stderr!)) {
    const url = /Running on (http:\/\/127\.0\.0\.1:\d{1,5})/.exec(line)?.[1]
    said.push(line)
    if (url === undefined) continue
    child.stderr!.resume()
    child.stdout!.resume()
    return url
  }
  throw new Error(`moto did not start: ${said.join('\n')}`)
}
