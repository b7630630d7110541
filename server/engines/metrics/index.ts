import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/**
 * What this process counts of itself, for Prometheus. Labels come from lists of ours alone: never a printer, a person, a path as it was
 * asked for or a text of somebody's, so that strangers cannot make series.
 */
export const registry = new Registry()
const registers = [registry]

const SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10]

export const httpRequests = new Counter({
  name: 'vigil_http_requests_total',
  help: 'Requests answered, by method, route as it is declared (none: no such route) and status',
  labelNames: ['method', 'route', 'status'] as const,
  registers,
})

export const httpSeconds = new Histogram({
  name: 'vigil_http_request_seconds',
  help: 'Seconds from the head of a request to the end of its answer, by method',
  labelNames: ['method'] as const,
  buckets: SECONDS,
  registers,
})

export const agentsConnected = new Gauge({
  name: 'vigil_agents_connected',
  help: 'Sockets of agents that are open on this node',
  registers,
})

export const snapshots = new Counter({
  name: 'vigil_snapshots_total',
  help: 'Pictures of agents: a frame of a print, another picture, refused (limit, no picture, no room), or failed',
  labelNames: ['outcome'] as const,
  registers,
})

export const detectionSeconds = new Histogram({
  name: 'vigil_detection_seconds',
  help: 'Seconds from a picture on its way to the detector to its verdict, waiting included',
  buckets: [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
  registers,
})

export const detections = new Counter({
  name: 'vigil_detections_total',
  help: 'Pictures given to the detector: inspected, superseded by a newer one, dropped, damaged, or unavailable',
  labelNames: ['outcome'] as const,
  registers,
})

export const printsWatched = new Gauge({
  name: 'vigil_prints',
  help: 'Prints that run, as their pages say it: watching, or why not; of the printers that this node looks after',
  labelNames: ['watch'] as const,
  registers,
})

export const printsLookedAt = new Gauge({
  name: 'vigil_prints_looked_at_timestamp_seconds',
  help: 'When this node last looked at the prints that it looks after, in seconds since 1970',
  registers,
})

export const watchAlarms = new Counter({
  name: 'vigil_watch_alarms_total',
  help: 'Owners told that a print is not watched, by reason, or that it is again (cleared)',
  labelNames: ['why'] as const,
  registers,
})

export const fileOperations = new Counter({
  name: 'vigil_file_operations_total',
  help: 'What the store of files was asked for (put, get, stat, remove, removeAll, list): done, none (no such file), full, or failed',
  labelNames: ['operation', 'outcome'] as const,
  registers,
})

export const commands = new Counter({
  name: 'vigil_commands_total',
  help: 'Commands to printers: sent, or why not',
  labelNames: ['command', 'outcome'] as const,
  registers,
})

export const notifications = new Counter({
  name: 'vigil_notifications_total',
  help: 'Tries to reach somebody by a channel: accepted, refused, expired, withdrawn, or to be tried again',
  labelNames: ['channel', 'outcome'] as const,
  registers,
})

export const strayFiles = new Counter({
  name: 'vigil_stray_files_total',
  help: 'Stored files that no row named, removed by the nightly sweep',
  labelNames: ['container'] as const,
  registers,
})

export const missingFiles = new Gauge({
  name: 'vigil_missing_files',
  help: 'Stored files that rows name and that are gone, as the last nightly sweep counted them',
  registers,
})

export const backups = new Counter({
  name: 'vigil_backups_total',
  help: 'Nightly backups of this node: done, or failed',
  labelNames: ['outcome'] as const,
  registers,
})

export const backedUpAt = new Gauge({
  name: 'vigil_backup_timestamp_seconds',
  help: 'When the last nightly backup that this node knows of was made, in seconds since 1970; 0: never',
  registers,
})

export const storageFreed = new Counter({
  name: 'vigil_storage_freed_bytes_total',
  help: 'Bytes of stored files that made room on a disk nearly full, or above a limit: frames (pictures of ended prints) or films',
  labelNames: ['kind'] as const,
  registers,
})
