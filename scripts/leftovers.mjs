// Waits until the run of tests that started it has ended, however: killed, or its output closed. Then what still runs of what that run
// started ends, too, and its folder of temporary files goes. Plain JavaScript, with nothing to load.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const [, , mark = '', folder = ''] = process.argv
const GRACE_MS = 5_000

/** Processes that carry the run's mark in their environment: whoever is started hands it on. */
const marked = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark)
      } catch {
        return false // it has just ended
      }
    })
    .map(Number)

/** @param {NodeJS.Signals} signal */
const tell = (signal) => {
  for (const pid of marked()) {
    try {
      process.kill(pid, signal)
    } catch {
      // it has just ended
    }
  }
}

process.stdin.resume().once('close', async () => {
  tell('SIGTERM')
  for (const until = Date.now() + GRACE_MS; Date.now() < until && marked().length > 0; await sleep(50));
  tell('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
