import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Moonraker ships no page, so this one stands in for Mainsail and Fluidd: files named by their content, a manifest, a service worker that
 * keeps them, one live socket, sign-in, uploads, downloads by a token that is good once.
 */
export async function layOutPage(folder: string): Promise<void> {
  const script = `const __name = (fn) => fn\n;(${String(runPage)})()\n`
  const style = `body { font: 16px sans-serif }\n/* ${'as long as a real one. '.repeat(4_000)} */\n`
  const named = (end: string, text: string) =>
    `/assets/index-${createHash('sha256').update(text).digest('base64url').slice(0, 7)}9.${end}`
  const [js, css] = [named('js', script), named('css', style)]
  const files = {
    [js]: script,
    [css]: style,
    '/index.html': pageOf(js, css),
    '/sw.js': `(${String(runWorker)})(${JSON.stringify(['/index.html', js, css])})\n`,
    '/manifest.webmanifest': JSON.stringify({ name: 'Stand-in', start_url: '/', display: 'standalone' }),
    '/config.json': JSON.stringify({ instancesDB: 'moonraker' }),
  }
  await mkdir(join(folder, 'assets'), { recursive: true })
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
}

const pageOf = (
  js: string,
  css: string,
) => `<!doctype html><html><head><meta charset="utf-8"><title>Stand-in</title>
<link rel="icon" href="data:,"><link rel="manifest" href="/manifest.webmanifest">
<script type="module" crossorigin src="${js}"></script><link rel="stylesheet" crossorigin href="${css}"></head><body>
<form id="login"><input name="user" aria-label="User"><input name="password" type="password" aria-label="Password">
<button>Log in</button></form>
<p>Klipper is <b id="klipper">unknown</b>, the print is <b id="print">unknown</b>; worker: <b id="worker">none</b></p>
<input type="file" id="file" aria-label="File"><ul id="files"></ul>
<ul id="faults"></ul></body></html>`

/** Runs in the page. */
function runPage(): void {
  const byId = (id: string) => document.querySelector<HTMLElement>(`#${id}`) ?? document.body
  const show = (id: string, text: string) => (byId(id).textContent = text)
  const addTo = (id: string, ...parts: (Node | string)[]) => {
    const item = document.createElement('li')
    item.append(...parts)
    byId(id).append(item)
  }
  const fault = (what: unknown) => addTo('faults', String(what))
  let token = ''
  let calls = 0
  let socket: WebSocket | null = null

  async function api(
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ): Promise<unknown> {
    const headers = { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(path, { ...init, headers })
    const { result, error, ...rest } = (await answer.json()) as { result?: unknown; error?: unknown }
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(error)}`)
    return result ?? rest
  }
  const oneTime = async () => String(await api('/access/oneshot_token'))

  interface Status {
    readonly webhooks?: { readonly state?: string }
    readonly print_stats?: { readonly state?: string }
  }
  function showStatus({ webhooks, print_stats: print }: Status): void {
    if (webhooks?.state) show('klipper', webhooks.state)
    if (print?.state) show('print', print.state)
  }
  function call(method: string, params: object): void {
    socket?.send(JSON.stringify({ jsonrpc: '2.0', id: ++calls, method, params }))
  }

  async function openSocket(): Promise<void> {
    // Fluidd proves itself in the address, Mainsail in its first words.
    const query = location.hash === '#fluidd' ? `?token=${await oneTime()}` : ''
    socket = new WebSocket(`${location.origin.replace('http', 'ws')}/websocket${query}`)
    socket.addEventListener('open', () => {
      const client = { client_name: 'Stand-in', version: '1.0', type: 'web', url: 'http://stand-in.local' }
      call('server.connection.identify', query ? client : { ...client, access_token: token })
      call('printer.objects.subscribe', { objects: { webhooks: null, print_stats: ['state'] } })
    })
    socket.addEventListener('message', ({ data }) => {
      const { error, result, method, params } = JSON.parse(String(data)) as {
        error?: unknown
        result?: { status?: Status }
        method?: string
        params?: [Status & { item?: { path: string } }]
      }
      if (error) fault(JSON.stringify(error))
      if (result?.status) showStatus(result.status)
      if (method === 'notify_status_update' && params) showStatus(params[0])
      if (method === 'notify_filelist_changed' && params?.[0].item) list(params[0].item.path)
    })
    socket.addEventListener('close', ({ code }) => fault(`the socket closed: ${code}`))
  }

  function list(path: string): void {
    const button = (name: string, act: () => Promise<unknown>) => {
      const made = Object.assign(document.createElement('button'), { textContent: `${name} ${path}` })
      made.addEventListener('click', () => void act().catch(fault))
      return made
    }
    const download = async () => {
      const href = `/server/files/gcodes/${path}?token=${await oneTime()}`
      Object.assign(document.createElement('a'), { href, download: path }).click()
    }
    const print = () => api(`/printer/print/start?filename=${path}`, { method: 'POST' })
    addTo('files', button('Download', download), button('Print', print))
  }

  byId('login').addEventListener('submit', (event) => {
    event.preventDefault()
    const given = new FormData(event.target as HTMLFormElement)
    const body = JSON.stringify({ username: given.get('user'), password: given.get('password') })
    const headers = { 'content-type': 'application/json' }
    api('/access/login', { method: 'POST', headers, body }).then((result) => {
      ;({ token } = result as { token: string })
      return openSocket()
    }, fault)
  })
  byId('file').addEventListener('change', ({ target }) => {
    const form = new FormData()
    for (const file of (target as HTMLInputElement).files ?? []) form.append('file', file)
    api('/server/files/upload', { method: 'POST', body: form }).catch(fault)
  })
  api('/server/info').then(
    () => fault('nobody has signed in, and was answered'),
    () => undefined,
  )
  void fetch('/config.json').catch(fault)
  const { serviceWorker: workers } = navigator
  if (workers.controller) show('worker', 'in charge')
  else
    workers.register('/sw.js').then(
      async () => await workers.ready.then(() => show('worker', 'ready')),
      () => show('worker', 'refused'),
    )
}

/** Runs as the service worker: keeps the page's own files, and answers with them. */
function runWorker(files: string[]): void {
  const worker = self as unknown as {
    addEventListener(
      kind: string,
      hear: (event: {
        request: Request
        waitUntil(work: Promise<unknown>): void
        respondWith(answer: Promise<Response>): void
      }) => void,
    ): void
    clients: { claim(): Promise<void> }
  }
  worker.addEventListener('install', (event) =>
    event.waitUntil(caches.open('files').then((cache) => cache.addAll(files))),
  )
  worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))
  worker.addEventListener('fetch', (event) => {
    const { request } = event
    const path = request.mode === 'navigate' ? '/index.html' : new URL(request.url).pathname
    if (files.includes(path))
      event.respondWith(caches.match(path).then(async (kept) => kept ?? (await fetch(request))))
  })
}
