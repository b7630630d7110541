import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode, qualityOf } from '../../../engines/inference/decode.ts'
import { DetectorUnavailable } from '../../../engines/inference/port.ts'
import { blindDetector } from '../../../test/app.ts'

/** A detector that finds no failure, judges the picture itself as the real one does, and may be down or slow. */
export function aDetector() {
  const mode = { is: 'ready' as 'ready' | 'down' | 'slow' }
  const waiting: (() => void)[] = []
  const detector = blindDetector({
    async submit(_key, picture) {
      if (mode.is === 'down') throw new DetectorUnavailable('no model')
      if (mode.is === 'slow') await new Promise<void>((resolve) => waiting.push(resolve))
      const pixels = await decode(picture)
      const inspection = { ...(await blindDetector().detect(picture)), quality: qualityOf(picture, pixels) }
      return { kind: 'inspected', inspection }
    },
    health: () =>
      mode.is === 'down'
        ? { state: 'down', error: 'no model', queued: 0 }
        : { state: 'ready', queued: waiting.length },
  })
  return {
    detector,
    isSlow: () => mode.is === 'slow',
    turn(to: typeof mode.is) {
      mode.is = to
      if (to !== 'slow') for (const go of waiting.splice(0)) go()
    },
  }
}

/** A disk of its own that can be filled; null where none may be mounted. */
export function aDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-alarms-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'vigil-alarms', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
  const ballast = join(folder, 'ballast')
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  return {
    data,
    fill() {
      const file = openSync(ballast, 'a')
      for (;;) {
        const { bavail, bsize } = statfsSync(folder)
        if (bavail * bsize < 60 * 1024 * 1024) break
        writeSync(file, randomBytes(1024 * 1024))
      }
      closeSync(file)
    },
    empty: () => rmSync(ballast),
    remove() {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
