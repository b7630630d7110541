import { resolve } from 'node:path'
import { readDsn } from '@vigil/contract/report.ts'
import { z } from 'zod'
import { type Brands, readBrands } from './brands/brands.ts'
import manifest from '../package.json' with { type: 'json' }
import { textOf } from './lib/thrown.ts'
import {
  flag,
  list,
  networks,
  addresses,
  iceUrls,
  origins,
  ports,
  whole,
  refuseOurselves,
  told,
  usualTunnelPorts,
} from './lib/setting-values.ts'
import { withSite } from './site.ts'
import { accountSettings } from './lib/account-settings.ts'
import { storageSettings } from './lib/storage-settings.ts'
import { isSafeIssuer, type Provider, readProviders } from './lib/providers.ts'

/**
 * Every setting, from the environment alone (README lists them). A bad value stops the start with a sentence
 * that names it.
 */
const environment = z.object({
  PORT: whole(0, 65535).default(3334),
  HOST: z.string().min(1).default('0.0.0.0'),
  VIGIL_DATA: z.string().min(1).default('data'),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  VIGIL_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  VIGIL_SETUP_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  /** Set by the image: the machine's own addresses are not seen from inside. */
  IN_CONTAINER: flag.default(false),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/(?<!\/)\/{1,9}$/, ''))
    .optional(),
  TRUSTED_PROXIES: list.default(['loopback']),
  ...accountSettings,
  /** A provider that signs people in, by OpenID Connect: its address, and what it has given us. */
  OIDC_ISSUER: z
    .string()
    .refine(isSafeIssuer, 'must be the https address of a provider of OpenID Connect')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** What stands on its button. */
  OIDC_NAME: z.string().trim().min(1).max(40).default('OpenID'),
  /** A file: svg, png or webp. */
  OIDC_LOGO: z.string().min(1).optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  APPLE_CLIENT_ID: z.string().optional(),
  APPLE_TEAM_ID: z.string().optional(),
  APPLE_KEY_ID: z.string().optional(),
  /** A file: the private key (PEM) that Apple has given. */
  APPLE_KEY_FILE: z.string().min(1).optional(),
  /** Mail server; without it nothing is mailed. */
  EMAIL_HOST: z.string().min(1).optional(),
  EMAIL_PORT: whole(1, 65535).default(587),
  EMAIL_HOST_USER: z.string().min(1).optional(),
  EMAIL_HOST_PASSWORD: z.string().min(1).optional(),
  /** TLS from the start on port 465, by STARTTLS on others; false: none at all. */
  EMAIL_USE_TLS: flag.default(true),
  DEFAULT_FROM_EMAIL: z
    .string()
    .regex(
      /^(?:[^<>\r\n]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/,
      'must be an address, or Name <address>',
    )
    .optional(),
  /** Where people write who need help: pages then have a link to it. */
  SUPPORT_EMAIL: z.email().optional(),
  /** A server that speaks OpenAI's API, and its key: a model then answers in slicers' chats. Without both the built-in rules do. */
  LLM_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  LLM_API_KEY: z.string().min(1).optional(),
  LLM_MODEL_NAME: z.string().min(1).default('gpt-4o'),
  /** For all that one answer takes; then the rules answer. */
  LLM_TIMEOUT_SECONDS: whole(1, 600).default(60),
  /** A model that sees pictures; what is left out is that of `LLM_…`. */
  VLM_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  VLM_API_KEY: z.string().min(1).optional(),
  VLM_MODEL_NAME: z.string().min(1).optional(),
  IS_ENT: flag.default(false),
  BILLING: z.literal('sandbox', { error: 'must be sandbox, or absent' }).optional(),
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  STRIPE_TAX: flag.default(false),
  SENTRY_DSN: z
    .string()
    .refine((dsn) => readDsn(dsn) !== null, 'must be https://key@host/project, without a secret')
    .optional(),
  DISCOVERY_ENABLED: flag.default(true),
  SHARING_ENABLED: flag.default(true),
  WIZARD_PRODUCTS_FILE: z.string().min(1).optional(),
  BRANDS_FOLDER: z.string().min(1).optional(),
  PIC_POST_LIMIT_PER_MINUTE: whole(0, 100_000).default(0),
  /** Of an app at thingiverse.com/apps: its catalogue then stands at `/ent/designs/`. */
  THINGIVERSE_APP_TOKEN: z.string().min(1).optional(),
  /** Path of PrusaSlicer; absent: the one that was installed into the data folder, else the system's. */
  SLICER_PROGRAM: z.string().min(1).optional(),
  /** Folder of its vendors' profiles; absent: those that came with it. */
  SLICER_PROFILES: z.string().min(1).optional(),
  /** Path of OrcaSlicer, beside PrusaSlicer; its printers then stand in the catalogue, too. */
  ORCA_SLICER_PROGRAM: z.string().min(1).optional(),
  /** Folder of its vendors' profiles; absent: `../resources/profiles` of its program. */
  ORCA_SLICER_PROFILES: z.string().min(1).optional(),
  HEATER_TARGET_DELTA: z.coerce.number().min(0.01).max(20).default(1),
  DETECTOR: z.enum(['vigil', 'obico']).default('vigil'),
  DETECTOR_MODEL_FOLDER: z.string().min(1).optional(),
  DETECTOR_MODEL_URL: z.url({ protocol: /^https?$/ }).optional(),
  DETECTOR_MODEL_SHA256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
    .optional(),
  DETECTOR_WORKERS: whole(1, 64).optional(),
  DETECTION_TIME_SCALE: z.coerce.number().min(1).max(1000).default(1),
  ...storageSettings,
  /** Who has it may read `/metrics`; without it there is no such page. */
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  HSTS_SECONDS: whole(0, 63_072_000).default(0),
  /** Networks of the house in which webhooks, ntfy and the like may be. */
  NOTIFY_NETWORKS: networks.superRefine(refuseOurselves).default([]),
  TELEGRAM_BOT_TOKEN: z.string().optional(),
  TELEGRAM_BOT_NAME: z.string().optional(),
  PUSHOVER_APP_TOKEN: z.string().optional(),
  TWILIO_ACCOUNT_SID: z.string().optional(),
  TWILIO_AUTH_TOKEN: z.string().optional(),
  TWILIO_FROM_NUMBER: z.string().optional(),
  /** Where text messages may go, `1,44,49`; anywhere unless given. */
  TWILIO_COUNTRY_CODES: list.default([]),
  SLACK_CLIENT_ID: z
    .string()
    .transform((id) => id.replace(/^dummy-to-prevent-docker-parsing-as-number-/, ''))
    .optional(),
  SLACK_CLIENT_SECRET: z.string().optional(),
  /** Holds `{brand}-firebase-admin-key.json`: the service account by which the brand's apps are reached. */
  FIREBASE_KEYS_FOLDER: z.string().min(1).optional(),
  /** Tests have servers that stand in for vendors; production refuses it. */
  OUTGOING_STAND_INS: origins.default(new Map()),
  /** Each tunnel has one of these ports as its origin; without them they are told apart by name. */
  OCTOPRINT_TUNNEL_PORT_RANGE: ports.optional(),
  /** Set by the keeper: those of the range that other programs have. */
  TUNNEL_PORTS_TAKEN: list.transform((all) => all.map(Number)).default([]),
  /** Tunnels are `{code}.tunnels.{this}`. */
  TUNNEL_DOMAIN: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a host name such as vigil.example.org, without port')
    .optional(),
  /** Where the server is called `vigil.local`, tunnels are `{code}.vigil.local`: the house's DNS must answer. */
  TUNNEL_LOCAL_NAMES: flag.default(false),
  /** Where browsers ask for their public address; none: nothing leaves the network. */
  STUN_URLS: iceUrls(/^stuns?:[^\s?,/]+$/, 'stun:stun.example.org:3478').default([]),
  /** Relays for video that finds no other way. */
  TURN_URLS: iceUrls(
    /^turns?:[^\s?,/]+(\?transport=(udp|tcp))?$/,
    'turn:turn.example.org:3478?transport=udp',
  ).default([]),
  /** The relay's `static-auth-secret`: each viewer gets a password of an hour. */
  TURN_SECRET: z.string().min(8, 'must have at least 8 characters').optional(),
  TURN_USERNAME: z.string().min(1).optional(),
  TURN_PASSWORD: z.string().min(1).optional(),
  /** The server is the one viewer of a printer's video, and serves all others. */
  STREAM_FANOUT: z.enum(['on', 'off'], { error: 'must be on or off' }).default('off'),
  /** UDP, for all of that video; absent: the number of `PORT`; 0: one for each connection. */
  STREAM_FANOUT_PORT: whole(0, 65_535).optional(),
  /** Where viewers and printers reach that port; none: at all addresses of the machine. */
  STREAM_FANOUT_ADDRESSES: addresses.default([]),
  SHUTDOWN_GRACE_SECONDS: whole(1, 600).default(10),
})

export type Config = Readonly<z.infer<typeof environment>> & {
  readonly dataFolder: string
  readonly version: string
  /** What the pages are dressed in; at least one. */
  readonly brands: Brands
  /** Who signs people in beside us. */
  readonly providers: readonly Provider[]
  /** The ports of tunnels are those that lie behind `PORT`, as nobody has named others: no proxy leads there. */
  readonly hasUsualTunnelPorts: boolean
}

/** A setting that cannot be used; `message` names it in one sentence. */
export class BadConfig extends Error {
  override readonly name = 'BadConfig'
}

/** Reads the environment once. Empty values count as absent. Raises `BadConfig`. */
export function readConfig(env: Record<string, string | undefined>, version = manifest.version): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const first = parsed.error.issues[0]
    const name = String(first?.path[0] ?? 'environment')
    throw new BadConfig(`${told(name, given[name])} cannot be used: ${first?.message ?? 'invalid'}.`)
  }
  const config = parsed.data
  if (config.DETECTION_TIME_SCALE !== 1 && config.NODE_ENV === 'production') {
    throw new BadConfig('DETECTION_TIME_SCALE is for demo and tests only: production watches in real time.')
  }
  if (config.OUTGOING_STAND_INS.size > 0 && config.NODE_ENV === 'production') {
    throw new BadConfig('OUTGOING_STAND_INS is for tests only: production calls who is meant.')
  }
  if (config.DATABASE_URL !== undefined && config.VIGIL_SECRET === undefined) {
    throw new BadConfig('VIGIL_SECRET is needed with DATABASE_URL, so that all nodes share it.')
  }
  if (config.ROLE !== 'all' && (config.DATABASE_URL === undefined || config.REDIS_URL === undefined)) {
    throw new BadConfig(`ROLE=${config.ROLE} needs DATABASE_URL and REDIS_URL: another node does the rest.`)
  }
  if (config.ACCOUNT_EMAIL_VERIFICATION === 'mandatory' && config.EMAIL_HOST === undefined) {
    throw new BadConfig('ACCOUNT_EMAIL_VERIFICATION=mandatory needs EMAIL_HOST: the links go by mail.')
  }
  requireModel(config)
  requireOneTill(config)
  requireWayIn(config)
  const brands = brandsOf(config.BRANDS_FOLDER)
  const hasUsualTunnelPorts = given['OCTOPRINT_TUNNEL_PORT_RANGE'] === undefined
  return withSite({
    ...config,
    OCTOPRINT_TUNNEL_PORT_RANGE: hasUsualTunnelPorts ? usualTunnelPorts(config) : namedTunnelPorts(config),
    hasUsualTunnelPorts,
    dataFolder: resolve(config.VIGIL_DATA),
    version,
    brands,
    providers: providersOf(config),
  })
}

function namedTunnelPorts({ OCTOPRINT_TUNNEL_PORT_RANGE: range, PORT }: z.infer<typeof environment>) {
  if (range !== undefined && range.first <= PORT && PORT <= range.last)
    throw new BadConfig("OCTOPRINT_TUNNEL_PORT_RANGE cannot be used: PORT is in it, which is the app's own.")
  return range
}

/** What is said of the detector's model fits together. */
function requireModel(config: z.infer<typeof environment>): void {
  if ((config.DETECTOR_MODEL_URL === undefined) !== (config.DETECTOR_MODEL_SHA256 === undefined)) {
    throw new BadConfig('DETECTOR_MODEL_URL and DETECTOR_MODEL_SHA256 belong together.')
  }
  if (config.DETECTOR === 'obico' && config.DETECTOR_MODEL_URL === undefined) {
    throw new BadConfig('DETECTOR=obico needs DETECTOR_MODEL_URL and DETECTOR_MODEL_SHA256.')
  }
  if (config.DETECTOR === 'obico' && config.DETECTOR_MODEL_FOLDER !== undefined) {
    throw new BadConfig('DETECTOR_MODEL_FOLDER names a model for DETECTOR=vigil.')
  }
}

function requireOneTill({ BILLING, STRIPE_SECRET_KEY: key, ...given }: z.infer<typeof environment>): void {
  if ((key === undefined) !== (given.STRIPE_WEBHOOK_SECRET === undefined) || (BILLING && key))
    throw new BadConfig('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together, without BILLING.')
}

/** A relay lets nobody in without a password. */
function requireWayIn({ TURN_URLS, TURN_SECRET, ...given }: z.infer<typeof environment>): void {
  const hasAccount = given.TURN_USERNAME !== undefined && given.TURN_PASSWORD !== undefined
  if (TURN_URLS.length > 0 && (TURN_SECRET !== undefined) === hasAccount) {
    throw new BadConfig('TURN_URLS needs either TURN_SECRET, or TURN_USERNAME and TURN_PASSWORD.')
  }
}

function providersOf(config: z.infer<typeof environment>): readonly Provider[] {
  try {
    return readProviders(config)
  } catch (error) {
    throw new BadConfig(`${error instanceof Error ? error.message : 'The providers cannot be read'}.`)
  }
}

function brandsOf(folder: string | undefined): Brands {
  try {
    return readBrands(folder)
  } catch (error) {
    throw new BadConfig(`BRANDS_FOLDER=${JSON.stringify(folder)} cannot be used: ${textOf(error)}.`)
  }
}
