import type { Ctx } from '../../../ctx.ts'
import { invalid } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import { isNamesake } from './passwords.rules.ts'

const say = (key: string) => text('accounts-server', key)
/** Those that fit our rule of eight characters. */
let most: Promise<ReadonlySet<string>> | undefined

/** The fifty thousand most used passwords, read when somebody chooses one. */
const mostUsed = () =>
  (most ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary.passwords.map(String).filter(({ length }) => length >= 8)),
  ))

/** Raises 400 beside `field` for a password that anybody would try first: one of the most used, or little more than a name. */
export async function checkChosen(
  { config }: Pick<Ctx, 'config'>,
  field: 'password' | 'new',
  { password, email }: { readonly password: string; readonly email: string },
): Promise<void> {
  const brands = config.brands.flatMap((brand) => [brand.name, brand.display_name])
  if (isNamesake(password, { email, brands })) throw invalid({ [field]: say('namesake') })
  if ((await mostUsed()).has(password.toLowerCase())) throw invalid({ [field]: say('mostUsed') })
}
