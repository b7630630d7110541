/** `./vigil COMMAND`, from a terminal. */
import { perform } from './commands.ts'

// onnxruntime reports its use to its maker unless told not to; nothing here talks to anybody unasked.
process.env['ORT_DISABLE_TELEMETRY'] = '1'

// A reader that has seen enough (head, grep -q) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})
process.exitCode = await perform(process.argv.slice(2))
