/** Posts webcam pictures at the agents' pace (docs/wire/agents.md 3.2). */
import type { Flavour, Host } from './flavour.ts'

const IDLE_FACTOR = 12
const BUSY = new Set(['starting', 'printing', 'pausing', 'resuming', 'cancelling', 'finishing'])

export interface Pictures {
  /** Once a second of the protocol's time. */
  tick: () => void
  /** A `remote_status` came in. */
  boost: () => void
}

/** The loop that posts pictures of one agent, never two at a time. */
export function createPictures(host: Host, flavour: Flavour): Pictures {
  let lastPosted = -Infinity
  let boosts = 0
  let isPosting = false

  const post = async (isBoost: boolean): Promise<void> => {
    isPosting = true
    try {
      const bytes = await host.camera.snapshot(host.scene(), !isBoost)
      await host.http.call('POST', '/api/v1/octo/pic/', {
        form: flavour.picFields(isBoost),
        file: { name: 'pic', bytes },
      })
    } catch (error) {
      host.note('picture not posted', { error: String(error) })
    } finally {
      isPosting = false
    }
    next()
  }

  const next = (): void => {
    if (isPosting) return
    if (boosts > 0) {
      boosts -= 1
      void post(true)
      return
    }
    if (!BUSY.has(host.printer.state)) return
    const { viewing, shouldWatch } = host.remote
    const pause =
      (host.pace.picEverySeconds * (viewing || shouldWatch ? 1 : IDLE_FACTOR) * 1000) / host.pace.timeScale
    // A tick comes a little early or late; without the margin every second picture would slip a tick.
    if (performance.now() - lastPosted < pause - 20) return
    lastPosted = performance.now()
    void post(false)
  }

  return {
    tick: next,
    boost: () => {
      if (!host.remote.viewing) return
      boosts = host.identity.isPro ? 3 : 1
      next()
    },
  }
}
