import type { savePreset } from '@vigil/contract/slice/presets.ts'
import type { Parsed } from '@vigil/contract/endpoint.ts'
import type { Ctx } from '../../../ctx.ts'
import { inTransaction } from '../../../engines/db/transaction.ts'
import { AppError, invalid } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import type { Principal, UserPrincipal } from '../../../http/principal.ts'
import type { UserId } from '../../../lib/id.ts'
import type { Machine } from '../../../lib/slicing/catalogue.ts'
import { proposeMachine } from '../../../lib/slicing/propose.ts'
import { wordOf } from '../../../lib/slicing/settings.ts'
import { accountsSeenBy, printersVisibleTo } from '../../core/access/index.ts'
import { knownMachines, knownOf } from '../../files/machines/index.ts'
import { readProfiles, requireSliceable } from '../profiles/index.ts'
import { findPresets, type PresetRow, upsertPreset } from './presets.queries.ts'

const MOST_PRESETS = 200
const MOST_PRINTERS = 200
const say = (key: string, params: Record<string, string> = {}) => text('slicing-server', key, params)

/** Somebody's, and what others of their households share; without `IS_ENT` all of a server are one. */
export async function listPresets(ctx: Ctx, principal: UserPrincipal): Promise<PresetRow[]> {
  const households = ctx.config.IS_ENT ? await accountsSeenBy(ctx.db, principal) : 'all'
  return await findPresets(ctx.db, { userId: principal.userId, households, limit: 2 * MOST_PRESETS })
}

/** Saves a preset under its name. Raises 400 for profiles and settings that cannot be, or when there are too many. */
export async function keepPreset(
  ctx: Ctx,
  userId: UserId,
  { name, slicer_profiles: sub, profile_overwrites, is_shared: isShared }: Parsed<typeof savePreset, 'body'>,
): Promise<PresetRow> {
  const named = {
    machine: sub.machine_sub_path,
    filament: sub.filament_sub_path,
    print: sub.print_process_sub_path,
  }
  const overwrites = inWords(profile_overwrites)
  await requireSliceable(ctx, named, overwrites)
  const values = { name, ...named, overwrites: JSON.stringify(overwrites), isShared }
  const row = await inTransaction(ctx.db, (tx) => upsertPreset(tx, userId, values, MOST_PRESETS))
  if (row === null) throw new AppError(400, { error: say('tooManyPresets') })
  return row
}

const lengthOf = ([from, to]: readonly [number, number]) => to - from

/** Each as one word; what is empty says nothing. */
const inWords = (given: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => {
      const word = value === null ? '' : wordOf(value)
      if (word === null) throw invalid({ profile_overwrites: say('badSetting', { key }) })
      return word === '' ? [] : [[key, word]]
    }),
  )

/** The caller's printers of which a machine can be proposed. */
export async function ownMachines(
  ctx: Ctx,
  principal: Principal,
): Promise<readonly { printer: { id: number; name: string }; machine: Machine }[]> {
  const { brands } = await readProfiles(ctx)
  if (brands.length === 0) return []
  const printers = await printersVisibleTo(ctx.db, { principal, action: 'see' })
    .select(['printers.id', 'printers.name', 'printers.agentName'])
    .orderBy('printers.id')
    .limit(MOST_PRINTERS)
    .execute()
  const known = await knownMachines(ctx, printers)
  return printers.flatMap(({ id, name }) => {
    const { bed, nozzle, model } = known.get(id) ?? knownOf(null, {})
    const machine = proposeMachine(brands, {
      name,
      model,
      nozzle,
      bed: bed && [lengthOf(bed.x), lengthOf(bed.y)],
    })
    return machine === null ? [] : [{ printer: { id, name }, machine }]
  })
}
