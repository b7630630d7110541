/** A process of its own that loads a model, says its name, and takes along all the memory that loading needed. */
import { type Backend, loadBackend } from './backends.ts'

process.once('message', (backend: Backend) => {
  loadBackend(backend).then(
    ({ model }) => process.send?.(model, undefined, undefined, () => process.exit()),
    () => process.exit(1),
  )
})
