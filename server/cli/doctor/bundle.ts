import { fieldsOf } from '@vigil/contract/fields.ts'
import { open } from 'node:fs/promises'
import { arch, cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Finding } from './finding.ts'
import { localAddress } from './network.ts'

const TAIL_BYTES = 64 * 1024
const PATIENCE_MS = 5_000
/** What is shorter stands in too many words. */
const SHORTEST = 6
/** Settings whose words tell nothing but how it is set up; of all others that are no number and no switch it is told only that they are set. */
const TOLD = new Set([
  'HOST',
  'ROLE',
  'NODE_ENV',
  'LOG_LEVEL',
  'DETECTOR',
  'ACCOUNT_EMAIL_VERIFICATION',
  'STREAM_FANOUT',
  'TRUSTED_PROXIES',
  'S3_REGION',
  'BACKUP_KEEP',
])
/** What a setting is never told of, whatever its kind. */
const NEVER = /SECRET|TOKEN|KEY|PASS|USER|SID|DSN|PHONE|NUMBER/

/** What somebody who helps needs to see of an installation, and nothing that opens anything: no key, password, address of a person, or name. */
export async function makeBundle(config: Config, checks: readonly (Finding & { readonly name: string })[]) {
  return {
    made_at: new Date().toISOString(),
    version: config.version,
    machine: {
      node: process.version,
      platform: `${process.platform} ${release()} ${arch()}`,
      processors: cpus().length,
      memory_mb: Math.round(totalmem() / 1024 ** 2),
      in_container: config.IN_CONTAINER,
    },
    settings: settingsOf(config),
    checks: checks.map((check) => ({
      ...check,
      found: withoutSecrets(config, check.found),
      advice: check.advice,
    })),
    health: await healthOf(config),
    database_log: await databaseLog(config),
  }
}

function settingsOf(config: Config): Record<string, unknown> {
  const told: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(config)) {
    if (!/^[A-Z][A-Z0-9_]*$/.test(name) || value === undefined) continue
    const isPlain = typeof value === 'number' || typeof value === 'boolean' || TOLD.has(name)
    const isEmpty = Array.isArray(value) && value.length === 0
    told[name] = isPlain && !NEVER.test(name) ? value : isEmpty ? [] : 'set'
  }
  return told
}

/** Values of settings that are not told, wherever they stand in a sentence. */
function withoutSecrets(config: Config, sentence: string): string {
  let clean = sentence
  for (const [name, value] of Object.entries(config)) {
    if (typeof value !== 'string') continue
    const password = URL.parse(value)?.password ?? ''
    for (const secret of [NEVER.test(name) ? value : '', password])
      if (secret.length >= SHORTEST) clean = clean.replaceAll(secret, '…')
  }
  return clean
}

/** The parts of `/hc/`, without how the caller came; null where nobody answers. */
async function healthOf(config: Config): Promise<unknown> {
  try {
    const answer = await fetch(`${localAddress(config)}/hc/?full=1`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const parts = Object.entries(fieldsOf(await answer.json()))
    return Object.fromEntries(parts.filter(([name]) => name !== 'caller'))
  } catch {
    return null
  }
}

/** What PostgreSQL said last; details, statements and whatever it quotes may hold rows, and stay out. */
async function databaseLog({ dataFolder }: Config): Promise<string[]> {
  const file = await open(join(dataFolder, 'log', 'postgres.log')).catch(() => null)
  if (file === null) return []
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - TAIL_BYTES)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
    return lines
      .filter((line) => /\b(?:LOG|WARNING|ERROR|FATAL|PANIC): /.test(line.slice(0, 200)))
      .map((line) => line.slice(0, 400).replaceAll(/"[^"]{0,400}"?|'[^']{0,400}'?/g, '…'))
      .slice(-200)
  } finally {
    await file.close()
  }
}
