import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { eventually } from './eventually.ts'

/** Where nginx is, or null. It is often outside of an ordinary user's PATH. */
export function findNginx(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, 'nginx')).find(existsSync) ?? null
}

/** A free port, as far as anyone can know. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export interface Nginx {
  stop(): Promise<void>
}

/** Runs nginx with these `server { … }` blocks until stopped. Certificate files: `cert.pem` and `key.pem`. */
export async function startNginx(program: string, servers: string, waitFor: number): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-nginx-'))
  for (const name of ['body', 'proxy', 'logs']) mkdirSync(join(folder, name))
  const subject = ['-subj', '/CN=vigil.test', '-days', '2', '-keyout', 'key.pem', '-out', 'cert.pem']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], {
    cwd: folder,
    stdio: 'ignore',
  })
  const isRoot = process.getuid?.() === 0
  const config = `
    daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/logs/error.log;
    ${isRoot ? 'user root;' : ''}
    events { worker_connections 256; }
    http {
      access_log off; client_max_body_size 20m;
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/proxy; uwsgi_temp_path ${folder}/proxy; scgi_temp_path ${folder}/proxy;
      ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;
      map $http_upgrade $connection_upgrade { default upgrade; '' close; }
      ${servers}
    }`
  writeFileSync(join(folder, 'nginx.conf'), config)
  const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilOpen(waitFor, child)
  return {
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      if (child.exitCode === null && child.kill('SIGTERM')) await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilOpen(port: number, child: ChildProcess): Promise<void> {
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
    return await new Promise<true | undefined>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(undefined))
      socket.once('connect', () => socket.destroy())
    })
  })
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  json<T>(): T
}

export interface Asking {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
  /** Another address of this machine to come from: one that is no trusted proxy. */
  readonly from?: string
}

/** A request that may come from another address and takes any certificate; fetch can do neither. */
export function ask(url: string, { method = 'GET', headers = {}, body, from }: Asking = {}): Promise<Answer> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers,
      rejectUnauthorized: false,
      agent: false,
      ...(from === undefined ? {} : { localAddress: from }),
    }
    const request = send(url, options, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const whole = Buffer.concat(chunks)
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: whole,
          json: () => JSON.parse(whole.toString()),
        })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}
