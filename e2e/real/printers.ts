import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../server/test/eventually.ts'
import { findNginx, freePort, startNginx } from '../../server/test/nginx.ts'
import { type Klippy, startKlippy } from './klippy.ts'
import { layOutPage } from './page.ts'

const INSTALLED = join(import.meta.dirname, '../../.vigil/printers')
const python = (name: string) => join(INSTALLED, name, 'bin/python')
const STARTS_MS = 90_000

/** Why nothing real can be tried here, in words; null where it can. */
export function whyNot(): string | null {
  const isThere = existsSync(join(INSTALLED, 'stamp')) && existsSync(python('octoprint'))
  if (!isThere) return 'OctoPrint and Moonraker are not installed: ./vigil test does that, with python3-venv'
  return findNginx() === null ? 'nginx is not installed (apt-get install nginx-light)' : null
}

/** Who may sign in on either. */
export const USER = {
  name: 'maker',
  password: 'a word of the maker',
  /** Of OctoPrint. */
  apiKey: '6d616b65726d616b65726d616b657221',
} as const
/** Of that password, made with little work. */
const HASH = '$argon2id$v=19$m=64,t=1,p=1$6+krI9qPVLk7Nf/77uQHsQ$kdOQC+WxfYOXgfo7hRnnDbREERNWUDgNoQLZVnvHanE'

export interface RealPrinter {
  /** Of its page, as its agent finds it. */
  readonly url: string
  /** What it has written of itself. */
  log(): Promise<string>
  stop(): Promise<void>
}

async function untilAnswers(url: string, child: ChildProcess, log: () => Promise<string>): Promise<void> {
  const answers = async () => {
    if (child.exitCode !== null) return false
    const answer = await fetch(url).catch(() => null)
    await answer?.body?.cancel()
    return (answer !== null && answer.status < 500) || undefined
  }
  if (!(await eventually(answers, STARTS_MS).catch(() => false)))
    throw new Error(`${url} does not answer: ${await log()}`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  // They hold nothing that is worth a clean end.
  child.kill('SIGKILL')
  await gone
}

/** OctoPrint with its virtual printer. What would ask servers of the makers is off. */
export async function startOctoprint(): Promise<RealPrinter> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-octoprint-'))
  const port = await freePort()
  const config = {
    server: {
      firstRun: false,
      onlineCheck: { enabled: false },
      pluginBlacklist: { enabled: false },
      seenWizards: { corewizard: 4, backup: 1, classicwebcam: 1 },
    },
    plugins: {
      _disabled: [
        'announcements',
        'discovery',
        'errortracking',
        'file_check',
        'firmware_check',
        'health_check',
        'pi_support',
        'pluginmanager',
        'softwareupdate',
        'tracking',
      ],
      virtual_printer: { enabled: true },
    },
    serial: { autoconnect: true, port: 'VIRTUAL' },
    // Of 40 MB it would take a minute.
    gcodeAnalysis: { runAt: 'never' },
    devel: { cache: { preemptive: false } },
  }
  const user = {
    active: true,
    apikey: USER.apiKey,
    groups: ['admins'],
    password: HASH,
    permissions: [],
    settings: {},
  }
  // YAML is a superset of JSON.
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(config))
  await writeFile(join(folder, 'users.yaml'), JSON.stringify({ _version: 2, [USER.name]: user }))
  const options = ['serve', '--iknowwhatimdoing', '--basedir', folder, '--host', '127.0.0.1']
  const child = spawn(python('octoprint'), ['-m', 'octoprint', ...options, '--port', String(port)], {
    stdio: 'ignore',
  })
  const log = async () => await readFile(join(folder, 'logs/octoprint.log'), 'utf8').catch(() => '')
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(`${url}/api/version`, child, log)
  return {
    url,
    log,
    async stop() {
      await end(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** As Mainsail's documents have it: the page's files, and Moonraker behind the same address. */
const proxyOf = (port: number, moonraker: number, pages: string) => `
  server {
    listen 127.0.0.1:${port};
    gzip on; gzip_proxied any; gzip_types text/plain text/css application/javascript application/json;
    client_max_body_size 0; proxy_request_buffering off; proxy_http_version 1.1;
    types { text/html html; text/css css; application/javascript js; application/json json; application/manifest+json webmanifest; }
    root ${pages}; index index.html;
    location / { try_files $uri $uri/ /index.html; }
    location = /index.html { add_header Cache-Control "no-store, no-cache, must-revalidate"; }
    location /websocket {
      proxy_pass http://127.0.0.1:${moonraker}/websocket;
      proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
      proxy_set_header Host $http_host; proxy_set_header X-Real-IP $remote_addr; proxy_read_timeout 86400;
    }
    location ~ ^/(printer|api|access|machine|server)/ {
      proxy_pass http://127.0.0.1:${moonraker}$request_uri;
      proxy_set_header Host $http_host; proxy_set_header X-Real-IP $remote_addr; proxy_set_header X-Scheme $scheme;
    }
  }`

/** Moonraker with a stand-in for Klipper, and one for Mainsail before it; it demands a sign-in. */
export async function startMoonraker(): Promise<RealPrinter & { readonly klippy: Klippy }> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-moonraker-'))
  const [port, own] = [await freePort(), await freePort()]
  const gcodes = join(folder, 'gcodes')
  for (const name of ['gcodes', 'config', 'logs']) await mkdir(join(folder, name))
  const klippy = await startKlippy(join(folder, 'klippy.sock'), gcodes)
  const config = `
[server]
host: 127.0.0.1
port: ${own}
klippy_uds_address: ${join(folder, 'klippy.sock')}
[machine]
provider: none
validate_service: False
[authorization]
trusted_clients: 127.0.0.1
force_logins: True
[file_manager]
check_klipper_config_path: False
`
  await writeFile(join(folder, 'config/moonraker.conf'), config)
  await layOutPage(join(folder, 'page'))
  const child = spawn(python('moonraker'), ['-m', 'moonraker', '-d', folder], { stdio: 'ignore' })
  const log = async () => await readFile(join(folder, 'logs/moonraker.log'), 'utf8').catch(() => '')
  await untilAnswers(`http://127.0.0.1:${own}/access/info`, child, log)
  const nginx = await startNginx(findNginx() ?? '', proxyOf(port, own, join(folder, 'page')), port)
  const url = `http://127.0.0.1:${port}`
  const made = await fetch(`${url}/access/user`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: USER.name, password: USER.password }),
  })
  if (!made.ok) throw new Error(`no user: ${await made.text()}`)
  return {
    url,
    klippy,
    log,
    async stop() {
      await end(child)
      await nginx.stop()
      klippy.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
