import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pythonWith, type TestS3 } from './python.ts'

const PACKAGES = ['moto[s3]==5.2.5', 'flask==3.1.3', 'flask-cors==6.0.5']

/**
 * Starts moto (https://docs.getmoto.org), an S3 server in Python, for tests. The first time it is installed into
 * `vigil-moto-5.2.5` in the folder for temporary files (python3 with venv, 20 s, 140 MB). Raises when it can't be.
 */
export async function startMoto(): Promise<TestS3> {
  const python = await pythonWith('vigil-moto-5.2.5', PACKAGES)
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
