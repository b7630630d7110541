/** What the pool and its worker threads say to each other. */
import { parentPort } from 'node:worker_threads'

/** To the worker: one task at a time. */
interface TaskMessage<Task> {
  task: Task
}

/** From the worker: once `ready` or `failed`, then one `done` or `error` for each task. */
export type WorkerMessage<Result> =
  | { type: 'ready'; name: string }
  | { type: 'failed'; message: string }
  | { type: 'done'; result: Result }
  | { type: 'error'; name: string; message: string }

/** The worker's side: opens once, then answers tasks in order until it is terminated. */
export async function serveTasks<Task, Result>(
  open: () => Promise<{ name: string; perform: (task: Task) => Promise<Result> }>,
  transferOf: (result: Result) => ArrayBuffer[],
): Promise<void> {
  const port = parentPort
  if (!port) throw new Error('this file runs in a worker thread only')
  const say = (message: WorkerMessage<Result>, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer)
  try {
    const { name, perform } = await open()
    port.on('message', ({ task }: TaskMessage<Task>) => {
      perform(task).then(
        (result) => say({ type: 'done', result }, transferOf(result)),
        (error: unknown) => say({ type: 'error', ...described(error) }),
      )
    })
    say({ type: 'ready', name })
  } catch (error) {
    say({ type: 'failed', message: described(error).message })
  }
}

function described(error: unknown): { name: string; message: string } {
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) }
}
