import { fork } from 'node:child_process'
import type { Backend } from './backends.ts'

/** A small computer takes its time; whoever takes longer is started in the usual way. */
const PATIENCE_MS = 60_000

/**
 * Whether a model can be loaded here, tried in a process of its own: then a server without prints need not hold it,
 * and still knows. Returns its name, or null when it could not be loaded, for whatever reason.
 */
export function proveModel(backend: Backend): Promise<string | null> {
  return new Promise((resolve) => {
    const child = fork(new URL('./prove.child.ts', import.meta.url), { stdio: 'ignore', execArgv: [] })
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    const end = (name: string | null): void => {
      clearTimeout(timer)
      resolve(name)
    }
    child.once('message', (name) => end(typeof name === 'string' ? name : null))
    child.once('error', () => end(null))
    child.once('exit', () => end(null))
    child.send(backend, (error) => error && end(null))
  })
}
