import { signUp as signUpEndpoint } from '@vigil/contract/people/accounts.ts'
import type { Ctx } from '../../../ctx.ts'
import { AppError, fieldErrors } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import type { Plan } from '../../shop/entitlements/index.ts'
import { setPlanOf } from '../../shop/subscriptions/index.ts'
import { askReset } from '../factors/resets.service.ts'
import { replacePassword } from '../passwords/passwords.service.ts'
import { changeUser, findUserByEmail, type UserRow } from '../users/users.queries.ts'
import { addUser } from './accounts.service.ts'

const say = (key: string, params?: Record<string, string>) => text('accounts-server', key, params)

/** The brand that an operator means: the named one, else the first. Raises a 400 that names the known ones. */
function brandNamed({ config }: Ctx, name = config.brands[0].name): string {
  if (config.brands.some((brand) => brand.name === name)) return name
  const names = config.brands.map((brand) => brand.name).join(', ')
  throw new AppError(400, { detail: say('noSuchBrand', { names }) })
}

/** Creates an account on behalf of the operator. Raises a 400 that names what is wrong. */
export async function createUser(
  ctx: Ctx,
  args: {
    email: string
    password: string
    isAdmin: boolean
    language?: 'en' | 'zh'
    brand?: string
    isVerified?: boolean
  },
): Promise<UserRow> {
  const checked = signUpEndpoint.body.safeParse(args, { reportInput: true })
  if (!checked.success) throw new AppError(400, fieldErrors(checked.error))
  const brand = brandNamed(ctx, args.brand)
  const { isAdmin, language = 'en', isVerified } = args
  const verified = isVerified === undefined ? {} : { isVerified }
  return addUser(ctx, { ...checked.data, ...verified, brand, isAdmin, language, byOperator: true })
}

/** Sets a password on behalf of the operator; all sessions of the user end. Raises a 400 or 404. */
export async function setPassword(
  ctx: Ctx,
  args: { email: string; password: string; brand?: string },
): Promise<void> {
  const checked = signUpEndpoint.body.safeParse(args, { reportInput: true })
  if (!checked.success) throw new AppError(400, fieldErrors(checked.error))
  const { id: userId } = await namedUser(ctx, args)
  await replacePassword(ctx, { userId, password: args.password, actor: 'operator' })
}

/** Gives an account a plan, on behalf of the operator. Raises a 404. */
export async function setPlan(
  ctx: Ctx,
  args: { email: string; plan: Plan; brand?: string | undefined },
): Promise<void> {
  const user = await namedUser(ctx, args)
  if (ctx.config.IS_ENT) await setPlanOf(ctx, user.id, args.plan)
  else await changeUser(ctx.db, user.id, { isPro: args.plan === 'pro' }, new Date(ctx.clock.now()))
}

/** Has somebody's second factors removed in a day, unless they object (docs/rules/people.md 10). Raises a 404. */
export async function resetFactors(
  ctx: Ctx,
  args: { email: string; brand?: string | undefined },
): Promise<boolean> {
  const { id } = await namedUser(ctx, args)
  return await askReset(ctx, id)
}

/** The account that an operator names. Raises a 404. */
export async function namedUser(
  ctx: Ctx,
  args: { email: string; brand?: string | undefined },
): Promise<UserRow> {
  const brand = brandNamed(ctx, args.brand)
  const user = await findUserByEmail(ctx.db, { brand, email: args.email.trim() })
  if (user === undefined) throw new AppError(404, { detail: say('noSuchUser') })
  return user
}
