import { basePath, serverUrl } from '../lib/base.ts'
import type { router as Router } from './routes.tsx'

/** How often an open page asks whether there is a new build. */
const LOOK_MS = 30 * 60_000

const SOON_MS = 3_000

/**
 * Registers the service worker (src/offline/worker.js) where the browser has one: over https, or on this machine. A
 * page that is open when a new build arrives takes it with the next way to another page; nothing typed is lost.
 */
export function installWorker(router: typeof Router): void {
  const { serviceWorker } = navigator
  if (!import.meta.env.PROD || serviceWorker === undefined) return
  let isFirst = serviceWorker.controller === null
  serviceWorker.addEventListener('controllerchange', () => {
    if (!isFirst)
      router.subscribe('onBeforeNavigate', ({ pathChanged, toLocation }) => {
        if (pathChanged) location.assign(toLocation.publicHref)
      })
    isFirst = false
  })
  // The first screen goes first.
  setTimeout(() => void keepLooking(serviceWorker), SOON_MS)
}

async function keepLooking(serviceWorker: ServiceWorkerContainer): Promise<void> {
  try {
    const registration = await serviceWorker.register(serverUrl('/sw.js'), {
      scope: basePath,
      updateViaCache: 'none',
    })
    const look = () => void registration.update().catch(() => undefined)
    setInterval(look, LOOK_MS)
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && look())
  } catch {
    // A browser that refuses (private windows do) shows the pages all the same.
  }
}
