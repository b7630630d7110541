import { fileOperations } from '../metrics/index.ts'
import { DiskFull, type Files } from './port.ts'

type Operation = Exclude<keyof Files, 'close'>

/** Counts what `files` is asked for, by operation and outcome: `done`, `none` (no such file), `full` (no room) or `failed`. */
export function counted(files: Files): Files {
  const note = (operation: Operation, outcome: 'done' | 'none' | 'full' | 'failed') =>
    fileOperations.inc({ operation, outcome })
  async function count<T>(operation: Operation, asked: Promise<T>): Promise<T> {
    try {
      const answer = await asked
      note(operation, answer === null ? 'none' : 'done')
      return answer
    } catch (error) {
      note(operation, error instanceof DiskFull ? 'full' : 'failed')
      throw error
    }
  }
  return {
    put: (ref, content) => count('put', files.put(ref, content)),
    get: (ref, range) => count('get', files.get(ref, range)),
    stat: (ref) => count('stat', files.stat(ref)),
    remove: (ref) => count('remove', files.remove(ref)),
    removeAll: (container, folder) => count('removeAll', files.removeAll(container, folder)),
    async *list(container, folder) {
      try {
        yield* files.list(container, folder)
        note('list', 'done')
      } catch (error) {
        note('list', 'failed')
        throw error
      }
    },
    close: () => files.close(),
  }
}
