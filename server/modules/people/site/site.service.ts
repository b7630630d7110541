import type * as contract from '@vigil/contract/people/site.ts'
import { brandWrite, FEATURE_FLAGS, type FeatureFlag } from '@vigil/contract/people/site.ts'
import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { changeSite, usualSite } from '../../../site.ts'
import type { Admin } from '../accounts/index.ts'
import { requireProof } from '../proof/proof.service.ts'
import { auditBoth } from '../sessions/staff-audit.service.ts'
import { presentBrand } from '../users/users.present.ts'
import { findChanges, lockChanges, saveChanges } from './site.queries.ts'

const CHANGED = 'site:changed'
/** A node that missed the word follows so much later. */
export const LOOK_MS = 10_000

/** Each by its name that fits `type`: one that does not spoils no other. */
const namedAs = <T extends z.ZodType>(type: T) =>
  z
    .record(z.string(), z.unknown())
    .catch({})
    .transform((all) => {
      const fitting = Object.entries(all).flatMap(([name, one]): [string, z.output<T>][] => {
        const read = type.safeParse(one)
        return read.success ? [[name, read.data]] : []
      })
      return Object.fromEntries(fitting)
    })

/** As it is kept: what does not fit any more, after an update, counts as unchanged. */
const kept = z
  .object({
    brands: namedAs(brandWrite),
    flags: namedAs(z.boolean()).transform((all): { [name in FeatureFlag]?: boolean } =>
      Object.fromEntries(Object.entries(all).filter(([name]) => FEATURE_FLAGS.some((one) => one === name))),
    ),
  })
  .catch({ brands: {}, flags: {} })
type Kept = z.output<typeof kept>

/** Reads what was changed, and has it count on this node. */
async function load(ctx: Ctx): Promise<void> {
  changeSite(ctx.config, kept.parse(await findChanges(ctx.db)))
}

/** Follows changes that were made on any node, until the returned function is called. */
export async function followSite(ctx: Ctx): Promise<() => void> {
  const stop = await ctx.live.subscribe(CHANGED, () => {
    load(ctx).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'the site was changed, and could not be read'),
    )
  })
  const stopLooking = everyTick(ctx, LOOK_MS, () => load(ctx))
  await load(ctx)
  return () => {
    stopLooking()
    stop()
  }
}

/** Brands and settings as they stand. */
export async function showSite(ctx: Ctx): Promise<contract.Site> {
  const { brands, flags } = kept.parse(await findChanges(ctx.db))
  const usual = usualSite(ctx.config)
  return {
    is_enterprise: ctx.config.IS_ENT,
    brands: ctx.config.brands.map((brand) => ({
      shown: presentBrand(brand),
      hosts: brand.hosts,
      email_from: brand.email_from,
      is_changed: Object.keys(brands[brand.name] ?? {}).length > 0,
    })),
    flags: FEATURE_FLAGS.map((name) => ({
      name,
      value: ctx.config[name],
      usual: usual.flags[name],
      is_changed: flags[name] !== undefined,
    })),
  }
}

interface Who {
  readonly admin: Admin
  readonly principal: UserPrincipal
}

/** Changes the site on all nodes, in the name of an administrator who has just shown who they are. */
async function change(
  ctx: Ctx,
  { admin, principal }: Who,
  act: { readonly action: string; readonly detail: Readonly<Record<string, unknown>> },
  next: (before: Kept) => Kept,
): Promise<contract.Site> {
  await requireProof(ctx, principal)
  await ctx.db.transaction().execute(async (db) => {
    const after = next(kept.parse(await lockChanges(db)))
    await saveChanges(db, JSON.stringify(after))
    await auditBoth({ ...ctx, db }, { staffId: admin.userId, userId: null, ...act })
  })
  await load(ctx)
  ctx.live.publish(CHANGED, '')
  return await showSite(ctx)
}

function requireBrand({ config }: Ctx, name: string): void {
  if (!config.brands.some((brand) => brand.name === name)) throw notFound()
}

/** Dresses a brand anew; null: as its file has it. Raises 404 for one that there is none, 403 until it was shown who asks. */
export async function changeBrand(
  ctx: Ctx,
  who: Who,
  name: string,
  wish: contract.BrandWrite | null,
): Promise<contract.Site> {
  requireBrand(ctx, name)
  const act = { action: 'brand_changed', detail: { brand: name, about: name } }
  return await change(ctx, who, act, ({ brands, flags }) => {
    const { [name]: before, ...others } = brands
    return { flags, brands: wish === null ? others : { ...others, [name]: { ...before, ...wish } } }
  })
}

/** Turns a feature on or off; null: as the environment has it. Raises 403 until it was shown who asks. */
export async function turnFlag(
  ctx: Ctx,
  who: Who,
  name: contract.FeatureFlag,
  value: boolean | null,
): Promise<contract.Site> {
  const act = { action: 'flag_turned', detail: { flag: name, value, about: name } }
  return await change(ctx, who, act, ({ brands, flags }) => {
    const { [name]: _, ...others } = flags
    return { brands, flags: value === null ? others : { ...others, [name]: value } }
  })
}
