/**
 * The service worker, with the names that the build has given to the files of the offline page (vite.config.ts).
 * It keeps these files and nothing else: no page of the app, no answer, no picture. Everything comes from the
 * network; what is kept is shown only where the network fails, so that it is never older than it looks. It shows what
 * the server tells by push (docs/wire/tell.md 5), whether a page is open or not.
 */
const FILES = __FILES__
const { scope } = self.registration
const PREFIX = `${scope}#`
const CACHE = PREFIX + __BUILD__
const at = (file) => new URL(file, scope).href
const kept = new Set(FILES.map(at))
const LOGO = /brands\/[\w-]{1,60}\/mark\.svg/

async function keep() {
  const cache = await caches.open(CACHE)
  const ask = (file) => new Request(at(file), { cache: 'reload' })
  await cache.addAll(FILES.map(ask))
  const page = await cache.match(at('offline.html'))
  // The logo of the brand that the page is dressed in.
  await cache.addAll((await page.text()).match(LOGO).slice(0, 1).map(ask))
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
  else if (request.method === 'GET' && (kept.has(request.url) || LOGO.test(request.url)))
    event.respondWith(fromNetwork(request, request.url))
})

/** Where a message leads: a path of this server. */
const here = (path) => new URL(path ?? '.', scope).href

async function show({ title, body, tag, lang, brand, isAlert, url, picture, buttons }) {
  const leads = Object.fromEntries(buttons.map((button, at) => [at, here(button.url)]))
  await self.registration.showNotification(title, {
    body,
    tag,
    lang,
    icon: at(`brands/${brand}/icon-192.png`),
    ...(picture ? { image: here(picture) } : {}),
    actions: buttons.map(({ text }, place) => ({ action: String(place), title: text })),
    // An alert stays until somebody has seen it.
    requireInteraction: isAlert,
    data: { url: here(url), leads },
  })
}

/** The page that shows this already, or a new one. */
async function open(url) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const found = pages.find((page) => page.url === url)
  await (found ? found.focus() : self.clients.openWindow(url))
}

/** A browser that has changed its address at the push service tells the new one. */
async function renew({ oldSubscription, newSubscription }) {
  const options = oldSubscription?.options
  const found = newSubscription ?? (options && (await self.registration.pushManager.subscribe(options)))
  if (!found) return
  const { endpoint, keys } = found.toJSON()
  await fetch(at('api/v1/push_subscriptions/'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
    body: JSON.stringify({ endpoint, keys, label: '' }),
  })
}

self.addEventListener('push', (event) => event.waitUntil(show(event.data.json())))
self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event
  notification.close()
  event.waitUntil(open(notification.data.leads[action] ?? notification.data.url))
})
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))
