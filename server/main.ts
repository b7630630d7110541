import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type Ctx, systemClock } from './ctx.ts'
import { migrateDatabase } from './engines/db/migrate.ts'
import { openDb } from './engines/db/postgres.ts'
import { openFiles } from './engines/files/index.ts'
import { openConfiguredDetector } from './engines/inference/configured.ts'
import type { Detector } from './engines/inference/port.ts'
import { openRemoteDetector, shareDetector } from './engines/inference/remote.ts'
import { closeReencoder } from './engines/inference/reencode.ts'
import { openJobs } from './engines/jobs/boss.ts'
import { openLive } from './engines/live/index.ts'
import { openMail } from './engines/mail/index.ts'
import { openReports, type Reports } from './engines/reports/index.ts'
import { createApp } from './http/app.ts'
import { listenBeside } from './http/beside.ts'
import { registerHealth } from './http/health.ts'
import { registerMetrics } from './http/metrics.ts'
import { registerOpenApi } from './http/openapi.ts'
import { registerPages } from './http/pages.ts'
import { createEvents } from './lib/events.ts'
import { accountCredentials, ensureSetupLink, registerAccounts } from './modules/people/accounts/index.ts'
import { registerAlarms } from './modules/watch/alarms/index.ts'
import { registerAgents } from './modules/core/agents/index.ts'
import { registerAlertLinks } from './modules/printers/alert-links/index.ts'
import { registerLeaving } from './modules/people/leaving/index.ts'
import { registerApiKeys } from './modules/people/api-keys/index.ts'
import { registerBackups } from './modules/core/backups/index.ts'
import { registerCloudPrints } from './modules/files/cloud-prints/index.ts'
import { registerCommands } from './modules/core/commands/index.ts'
import { registerDetection } from './modules/watch/detection/index.ts'
import { registerDevices } from './modules/people/devices/index.ts'
import { registerEmails } from './modules/people/emails/index.ts'
import { registerEvents } from './modules/core/events/index.ts'
import { registerFeedback } from './modules/watch/feedback/index.ts'
import { registerFirstLayer } from './modules/watch/first-layer/index.ts'
import { registerGallery } from './modules/prints/gallery/index.ts'
import { registerGCodeFiles } from './modules/files/gcode-files/index.ts'
import { registerHousehold } from './modules/people/household/index.ts'
import { registerHomeAssistant } from './modules/printers/home-assistant/index.ts'
import { registerHours } from './modules/shop/hours/index.ts'
import { registerIssuing } from './modules/shop/issuing/index.ts'
import { registerLetters } from './modules/shop/letters/index.ts'
import { registerCoupons } from './modules/shop/coupons/index.ts'
import { registerPayments } from './modules/shop/payments/index.ts'
import { registerSandbox } from './modules/shop/sandbox/index.ts'
import { registerPricing } from './modules/shop/pricing/index.ts'
import { registerSubscriptions } from './modules/shop/subscriptions/index.ts'
import { registerLinking } from './modules/printers/linking/index.ts'
import { registerMachines } from './modules/files/machines/index.ts'
import { registerMail } from './modules/people/mail/index.ts'
import { registerMedia } from './modules/core/media/index.ts'
import { registerNotifications } from './modules/tell/notifications/index.ts'
import { registerOAuth } from './modules/people/oauth/index.ts'
import { registerPassthru } from './modules/core/passthru/index.ts'
import { registerPrinterFiles } from './modules/remote/printer-files/index.ts'
import { printerCredentials, registerPrinters } from './modules/printers/printers/index.ts'
import { registerPrintLinks } from './modules/prints/print-links/index.ts'
import { registerPrints } from './modules/prints/prints/index.ts'
import { registerDirectory } from './modules/people/directory/index.ts'
import { registerNotices } from './modules/people/notices/index.ts'
import { registerOperations } from './modules/people/operations/index.ts'
import { registerSecrets } from './modules/people/secrets/index.ts'
import { registerSite } from './modules/people/site/index.ts'
import { registerEmbed } from './modules/assistant/embed/index.ts'
import { registerPictured } from './modules/assistant/pictured/index.ts'
import { registerDesigns } from './modules/slice/designs/index.ts'
import { registerInstalling } from './modules/slice/installing/index.ts'
import { registerModels } from './modules/slice/models/index.ts'
import { registerPresets } from './modules/slice/presets/index.ts'
import { registerProfiles } from './modules/slice/profiles/index.ts'
import { registerSlicing } from './modules/slice/slicing/index.ts'
import { registerSlicers } from './modules/slice/slicers/index.ts'
import { registerChats } from './modules/assistant/chats/index.ts'
import { registerSupport } from './modules/assistant/support/index.ts'
import { registerStats } from './modules/prints/stats/index.ts'
import { registerQueue } from './modules/files/queue/index.ts'
import { registerReplay } from './modules/prints/replay/index.ts'
import { registerReports } from './modules/printers/reports/index.ts'
import { registerTemperatures } from './modules/printers/temperatures/index.ts'
import { registerSharing } from './modules/remote/sharing/index.ts'
import { registerLearnt } from './modules/watch/camera-memory/index.ts'
import { registerStored } from './modules/core/stored/index.ts'
import { registerTimelapse } from './modules/prints/timelapse/index.ts'
import { registerTunnels, tunnelCredentials } from './modules/remote/tunnels/index.ts'
import { registerUnsubscribe } from './modules/tell/unsubscribe/index.ts'
import { registerVideo } from './modules/remote/video/index.ts'
import { registerMacros } from './modules/printers/macros/index.ts'
import { registerZones } from './modules/printers/zones/index.ts'

export interface StartOptions {
  readonly config: Config
  /** PostgreSQL to use: DATABASE_URL's, or the embedded one's. */
  readonly databaseUrl: string
  /** Aborted when the server shall stop. */
  readonly signal: AbortSignal
  readonly log?: Logger
  /** Where failures are told of; by default as `SENTRY_DSN` wants it. */
  readonly reports?: Reports
  /** Tests bring their own detector or clock; the product never does. */
  readonly detector?: Detector
  readonly clock?: Ctx['clock']
}

export interface Server {
  readonly app: FastifyInstance
  readonly ctx: Ctx
  /** Path of the one-time link to create the first account; null once there is one. */
  readonly setupLink: string | null
  /** Address it listens on, after `listen`. */
  listen(port: number, host: string): Promise<AddressInfo>
  close(): Promise<void>
}

/** Opens the engines, registers the features. The only place that wires. */
export async function startServer(options: StartOptions): Promise<Server> {
  const { config, databaseUrl, signal } = options
  const reports = options.reports ?? openReports(config)
  const log = options.log ?? reports.log
  const clock = options.clock ?? systemClock
  await migrateDatabase(databaseUrl, { log })
  const database = openDb(databaseUrl, { log, poolSize: 12 })
  const opening = [
    openLive(config, log, () => clock.monotonic()),
    openFiles(config),
    openJobs({
      connectionString: databaseUrl,
      log,
      runs: config.ROLE !== 'web',
      graceMs: config.SHUTDOWN_GRACE_SECONDS * 1000,
    }),
    Promise.resolve(
      config.ROLE === 'web' ? null : (options.detector ?? openConfiguredDetector(config, signal, log)),
    ),
    openMail(config),
  ] as const
  const [live, files, jobs, ownDetector, mail] = await Promise.all(opening).catch(async (error: unknown) => {
    // Who opened beside the one that could not is closed again: a thread that is still loading must not be cut off.
    const settled = await Promise.allSettled(opening)
    const opened = settled.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []))
    const closing = opened.map((one) => ('close' in one ? one.close() : one.stop()))
    await Promise.allSettled([...closing, database.close()])
    throw error
  })
  const detector = ownDetector ?? (await openRemoteDetector(live, config.DETECTOR))
  const unshare = ownDetector && config.REDIS_URL ? await shareDetector(live, ownDetector) : null
  const ctx: Ctx = {
    db: database.db,
    jobs,
    live,
    files,
    mail,
    detector,
    clock,
    started: { monotonic: clock.monotonic(), at: clock.now() },
    log,
    config,
    events: createEvents((error) => log.error({ err: error }, 'an event listener failed')),
    stopping: signal,
  }
  const app = await createApp(ctx, {
    ...accountCredentials(ctx),
    ...printerCredentials(ctx),
    ...tunnelCredentials(ctx),
  })
  registerMetrics(app, ctx, database.pool)
  registerBackups(ctx, databaseUrl)
  registerStored(ctx)
  for (const register of [
    registerHealth,
    registerMedia,
    registerMail,
    registerEmails,
    registerAccounts,
    registerOAuth,
    registerApiKeys,
    registerLeaving,
    registerHousehold,
    registerDirectory,
    registerNotices,
    registerSite,
    registerSecrets,
    registerOperations,
    registerDevices,
    registerUnsubscribe,
    registerEvents,
    registerNotifications,
    registerCommands,
    registerAgents,
    registerPassthru,
    registerDetection,
    registerHours,
    registerSubscriptions,
    registerPricing,
    registerCoupons,
    registerIssuing,
    registerPayments,
    registerSandbox,
    registerLetters,
    registerFirstLayer,
    registerFeedback,
    registerPrints,
    registerTimelapse,
    registerStats,
    registerGallery,
    registerPrintLinks,
    registerGCodeFiles,
    registerMachines,
    registerCloudPrints,
    registerPrinterFiles,
    registerQueue,
    registerReplay,
    registerAlarms,
    registerPrinters,
    registerModels,
    registerProfiles,
    registerSlicing,
    registerInstalling,
    registerDesigns,
    registerPresets,
    registerSlicers,
    registerPictured,
    registerEmbed,
    registerChats,
    registerSupport,
    registerAlertLinks,
    registerHomeAssistant,
    registerTemperatures,
    registerZones,
    registerMacros,
    registerLearnt,
    registerSharing,
    registerVideo,
    registerLinking,
    registerReports,
    registerTunnels,
    registerOpenApi,
    registerPages,
  ] as ((app: FastifyInstance, ctx: Ctx) => unknown)[]) {
    await register(app, ctx)
  }
  await jobs.start()
  await app.ready()
  return {
    app,
    ctx,
    setupLink: await ensureSetupLink(ctx),
    async listen(port, host) {
      await app.listen({ port, host, backlog: 4096 })
      await listenBeside(app, config, host)
      return app.server.address() as AddressInfo
    },
    async close() {
      await app.close()
      await jobs.stop()
      unshare?.()
      await Promise.all([live.close(), files.close(), mail.close(), detector.close(), closeReencoder()])
      await database.close()
      await reports.flush()
    },
  }
}
