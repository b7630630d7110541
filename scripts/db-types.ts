/** Writes server/engines/db/types.gen.ts from a migrated throw-away database. Run: node scripts/db-types.ts */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../server/engines/db/embedded.ts'
import { migrateDatabase } from '../server/engines/db/migrate.ts'

const quiet = { info: () => {}, warn: console.warn, error: console.error }
const out = join(import.meta.dirname, '../server/engines/db/types.gen.ts')
/**
 * What our own code keeps in columns of JSON: read as what they hold, written as text. Whoever writes has checked it
 * (contract, `files`); columns of other people's JSON stay `Json`. The generator
 * says that it cannot parse these types (it wants an older TypeScript) and writes them as they stand.
 */
const json = (type: string, isNull = false, hasDefault = false) =>
  `ColumnType<${type}${isNull ? ' | null' : ''}, string${isNull ? ' | null' : ''}${isNull || hasDefault ? ' | undefined' : ''}, string${isNull ? ' | null' : ''}>`
const REF = 'import("../files/port.ts").MediaRef'
const TURN = '{ flipH: boolean; flipV: boolean; rotation: 0 | 90 | 180 | 270 }'
const ZONES = 'import("@vigil/contract/printers/zones.ts").Zone[]'
const overrides = {
  columns: {
    'account_notices.audience': "import('@vigil/contract/people/notices.ts').NoticeAudience",
    'account_notices.level': "import('@vigil/contract/people/notices.ts').NoticeLevel",
    'access_tokens.kind': "Generated<'app' | 'key'>",
    'access_tokens.printer_ids': "import('../../lib/id.ts').PrinterId[] | null",
    'tunnels.kind': "'internal' | 'app'",
    'decisions.ignore_zones': json(ZONES, false, true),
    'subscriptions.state': "import('@vigil/contract/shop/subscriptions.ts').Subscription['state']",
    'subscriptions.billing_cycle': "import('@vigil/contract/shop/subscriptions.ts').BillingCycle | null",
    'subscriptions.next_deal': json('import("../billing/port.ts").KeptNext', true),
    'billing_checkouts.kind': "'plan' | 'pack'",
    'billing_checkouts.state': "Generated<'open' | 'paid' | 'closed'>",
    'payments.kind': "'payment' | 'refund'",
    'payments.what': "'plan' | 'pack'",
    'slice_presets.overwrites': json('Readonly<Record<string, string>>'),
    'deliveries.notice': json('import("../../modules/tell/messages/notice.rules.ts").Notice'),
    'deliveries.kind': 'import("@vigil/contract/tell/notifications.ts").NoticeKind',
    'deliveries.outcome': "import('@vigil/contract/tell/notifications.ts').Delivery['outcome']",
    'deliveries.waits_for': "import('@vigil/contract/tell/notifications.ts').Delivery['waits_for']",
    'alert_links.notice': json('import("../../modules/tell/messages/notice.rules.ts").Notice'),
    'notification_rules.digest': "'off' | 'hourly' | 'daily'",
    'exports.content': json(REF, true),
    'exports.state': "'waiting' | 'running' | 'ready' | 'failed'",
    'first_layer_images.picture': json(REF),
    'first_layer_images.sight': json('import("../inference/port.ts").LayerSight', true),
    'first_layer_inspections.data_json': json(REF, true),
    'first_layer_inspections.poster': json(REF, true),
    'first_layer_inspections.video': json(REF, true),
    'frames.picture': json(REF),
    'frames.tagged': json(REF, true),
    'g_code_files.content': json(REF, true),
    'g_code_files.thumbnails': json(`${REF}[]`, false, true),
    'machines.said': json('Partial<import("@vigil/contract/files/machines.ts").MachineSaid>', false, true),
    'machines.told': json('import("../../modules/files/machines/told.rules.ts").Told', true),
    'print_shot_feedbacks.image': json(REF),
    'memberships.printer_ids': "import('../../lib/id.ts').PrinterId[] | null",
    'memberships.role': "import('@vigil/contract/people/household.ts').HouseholdRole",
    'mesh_models.content': json(REF),
    'mesh_models.notes': json('import("@vigil/contract/slice/models.ts").MeshNote[]'),
    'mesh_models.picture': json(REF),
    'mesh_models.size': json('readonly number[]'),
    'notification_settings.config': json('Record<string, unknown>', false, true),
    'printer_events.image': json(REF, true),
    'printers.ignore_zones': json(ZONES, false, true),
    'prints.paused_by': "'vigil' | 'owner' | null",
    'prints.poster': json(REF, true),
    'prints.prediction_json': json(REF, true),
    'prints.score_curve': '(number | null)[] | null',
    'prints.tagged_video': json(REF, true),
    'prints.video': json(REF, true),
    'queue_starts.state': "'sending' | 'sent' | 'printing' | 'done' | 'failed'",
    'replays.looks': json(REF, true),
    'chats.user_feedback': "'positive' | 'negative' | null",
    'slice_jobs.asked': json('import("../../modules/slice/slicing/slicing.rules.ts").Asked'),
    'slice_jobs.error': json('import("../../modules/slice/slicing/slicing.rules.ts").Why', true),
    'slice_jobs.notes': json('import("../../lib/slicing/settings.ts").SettingNote[]', false, true),
    'slice_jobs.state': "import('@vigil/contract/slice/slicer.ts').SliceJob['status']",
    'slice_jobs.thumbnail': json(REF, true),
    'timelapses.scores': json(REF, true),
    'timelapses.source': json(REF, true),
    'timelapses.turn': json(TURN, true),
    'users.theme': "'light' | 'dark' | 'system' | null",
    'unwatched.code': "import('@vigil/contract/watch/watch-code.ts').WatchCode",
  },
}

/** Columns that name a row of what belongs to an owner, and the tables whose own `id` does (docs/server.md, "Whose it is"). */
const NAMES: Readonly<Record<string, string>> = {
  actingAs: 'users',
  addressId: 'emailAddresses',
  cloudPrintId: 'cloudPrints',
  accessTokenId: 'accessTokens',
  currentPrintId: 'prints',
  entryId: 'queueEntries',
  frameId: 'frames',
  gCodeFileId: 'gCodeFiles',
  inspectionId: 'firstLayerInspections',
  memberId: 'users',
  ownerId: 'users',
  parentFolderId: 'gCodeFolders',
  printId: 'prints',
  printerId: 'printers',
  residentPrinterId: 'printers',
  sessionId: 'sessions',
  settingId: 'notificationSettings',
  summaryId: 'deliveries',
  transactionId: 'hourTransactions',
  userId: 'users',
}
const OWNED = new Set([
  ...Object.values(NAMES),
  'accessTokens',
  'firstLayerImages',
  'memberships',
  'meshModels',
  'mobileDevices',
  'identities',
  'passkeys',
  'payments',
  'printerEvents',
  'printShotFeedbacks',
  'publicTimelapses',
  'pushSubscriptions',
  'sharedResources',
  'sliceJobs',
  'slicePresets',
  'subscriptions',
  'tunnels',
  'verificationCodes',
])

/** The generated types, with ids that are proofs. */
function withIds(types: string): string {
  let table = ''
  const lines = types.split('\n').map((line) => {
    const named = /^export interface (\w+)/.exec(line)?.[1]
    if (named !== undefined) table = named[0]!.toLowerCase() + named.slice(1)
    const column = /^  (\w+): .*\bnumber\b/.exec(line)?.[1] ?? ''
    const of = column === 'id' && OWNED.has(table) ? table : NAMES[column]
    return of === undefined ? line : line.replace('number', `Id<'${of}'>`)
  })
  return lines
    .join('\n')
    .replace('export type Generated', "import type { Id } from '../../lib/id.ts';\n\nexport type Generated")
}

const folder = mkdtempSync(join(tmpdir(), 'vigil-types-'))
const database = await openEmbedded({ dataFolder: folder, log: quiet })
try {
  await migrateDatabase(database.url, { log: quiet })
  const codegen = join(createRequire(import.meta.url).resolve('kysely-codegen'), '../cli/bin.js')
  execFileSync(process.execPath, [
    codegen,
    '--camel-case',
    '--dialect=postgres',
    `--url=${database.url}`,
    '--exclude-pattern=kysely_migration*',
    '--type-mapping={"int8":"number"}',
    `--overrides=${JSON.stringify(overrides)}`,
    `--out-file=${out}`,
  ])
  writeFileSync(out, withIds(readFileSync(out, 'utf8')))
} finally {
  await database.stop()
  rmSync(folder, { recursive: true })
}
