/**
 * The service worker, with the names that the build has given to the files of the offline page (vite.config.ts).
 * It keeps these files and nothing else: no page of the app, no answer, no picture. Everything comes from the
 * network; what is kept is shown only where the network fails, so that it is never older than it looks.
 */
const FILES = __FILES__
const { scope } = self.registration
const PREFIX = `${scope}#`
const CACHE = PREFIX + __BUILD__
const at = (file) => new URL(file, scope).href
const kept = new Set(FILES.map(at))

async function keep() {
  const cache = await caches.open(CACHE)
  await cache.addAll(FILES.map((file) => new Request(at(file), { cache: 'reload' })))
  await self.skipWaiting()
}

async function takeOver() {
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name)
  await self.clients.claim()
}

/** From the network; without it what is kept under `url`. */
async function fromNetwork(request, url) {
  try {
    return await fetch(request)
  } catch (error) {
    const found = await caches.match(url, { cacheName: CACHE })
    if (found) return found
    throw error
  }
}

self.addEventListener('install', (event) => event.waitUntil(keep()))
self.addEventListener('activate', (event) => event.waitUntil(takeOver()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.mode === 'navigate') event.respondWith(fromNetwork(request, at('offline.html')))
  else if (request.method === 'GET' && kept.has(request.url))
    event.respondWith(fromNetwork(request, request.url))
})
