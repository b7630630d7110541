import { hashOf } from '../../lib/signing.ts'
import { flag, moment, number, passwordOf, uuid, words } from './obico.rules.ts'
import { Left, type Mapping } from './world.ts'

const HINT = 4
const ISSUERS: Readonly<Record<string, string>> = {
  google: 'https://accounts.google.com',
  apple: 'https://appleid.apple.com',
}
const addressOf = (brand: string, email: string) => `${brand} ${email.toLowerCase()}`

/** Accounts, the addresses they sign in with, and the others. */
export const PEOPLE: readonly Mapping[] = [
  {
    from: 'app_user',
    to: 'users',
    row(row, world) {
      const id = Number(row['id'])
      const email = words(row, 'email')?.trim() ?? ''
      const brand = world.brands.get(number(row, 'syndicate_id') ?? 1) ?? ''
      if (email === '') return new Left('have no address')
      if (world.addresses.has(addressOf(brand, email)))
        return new Left(`have the address of another account (${email}); change it there first`)
      world.addresses.add(addressOf(brand, email))
      world.brandOf.set(id, brand)
      world.primary.set(id, email)
      return {
        id,
        brand,
        email,
        password_hash: passwordOf(words(row, 'password')),
        first_name: words(row, 'first_name') ?? '',
        last_name: words(row, 'last_name') ?? '',
        is_active: flag(row, 'is_active'),
        is_staff: flag(row, 'is_staff') || flag(row, 'is_superuser'),
        is_pro: flag(row, 'is_pro'),
        is_primary_email_verified: world.confirmed.has(`${id} ${email.toLowerCase()}`),
        tunnel_cap_multiplier: number(row, 'tunnel_cap_multiplier') ?? 1,
        unsub_token: uuid(row, 'unsub_token') ?? crypto.randomUUID(),
        account_notification_by_email: flag(row, 'account_notification_by_email'),
        notification_enabled: flag(row, 'notification_enabled'),
        mobile_app_canary: flag(row, 'mobile_app_canary'),
        unseen_printer_events: number(row, 'unseen_printer_events') ?? 0,
        consented_at: moment(row, 'consented_at'),
        last_active_at: moment(row, 'last_active_at'),
        created_at: moment(row, 'date_joined') ?? world.now,
      }
    },
  },
  {
    from: 'app_user',
    to: 'email_addresses',
    row(row, world) {
      const id = Number(row['id'])
      const [brand, email] = [world.brandOf.get(id), world.primary.get(id)]
      if (brand === undefined || email === undefined) return new Left('have no account here')
      const verified = world.confirmed.has(`${id} ${email.toLowerCase()}`)
      return {
        user_id: id,
        brand,
        email,
        verified,
        is_primary: true,
        created_at: moment(row, 'date_joined') ?? world.now,
      }
    },
  },
  {
    from: 'account_emailaddress',
    to: 'email_addresses',
    row(row, world) {
      const userId = Number(row['user_id'])
      const [brand, email] = [world.brandOf.get(userId), words(row, 'email')?.trim() ?? '']
      if (brand === undefined || email === '') return new Left('have no account here')
      if (world.primary.get(userId)?.toLowerCase() === email.toLowerCase())
        return new Left('are the address that somebody signs in with, which came with the account')
      if (world.addresses.has(addressOf(brand, email))) return new Left('are of another account, too')
      world.addresses.add(addressOf(brand, email))
      const verified = flag(row, 'verified')
      return { user_id: userId, brand, email, verified, is_primary: false, created_at: world.now }
    },
  },
  {
    from: 'socialaccount_socialaccount',
    to: 'identities',
    row(row, world) {
      const userId = Number(row['user_id'])
      const provider = words(row, 'provider') ?? ''
      const [brand, issuer, email] = [world.brandOf.get(userId), ISSUERS[provider], world.primary.get(userId)]
      if (brand === undefined || email === undefined) return new Left('have no account here')
      if (issuer === undefined) return new Left(`are of ${provider}, which signs nobody in here`)
      const created = moment(row, 'date_joined') ?? world.now
      return {
        user_id: userId,
        brand,
        provider,
        issuer,
        subject: words(row, 'uid') ?? '',
        email,
        created_at: created,
      }
    },
  },
  {
    from: 'oauth2_provider_accesstoken',
    to: 'access_tokens',
    row(row, world) {
      const userId = number(row, 'user_id')
      const token = words(row, 'token') ?? ''
      if (userId === null || !world.brandOf.has(userId)) return new Left('have no account here')
      const expires = moment(row, 'expires')
      if (token === '' || (expires !== null && expires < world.now)) return new Left('have ended')
      const application = world.applications.get(number(row, 'application_id') ?? 0) ?? 'OAuth'
      return {
        user_id: userId,
        kind: 'app',
        application,
        scope: 'slicer',
        token_hash: `\\x${hashOf(token).toString('hex')}`,
        hint: token.slice(-HINT),
        created_at: moment(row, 'created') ?? world.now,
        expires_at: expires,
      }
    },
  },
  {
    from: 'app_mobiledevice',
    to: 'mobile_devices',
    row(row, world) {
      const userId = Number(row['user_id'])
      if (!world.brandOf.has(userId)) return new Left('have no account here')
      const platform = words(row, 'platform') ?? ''
      if (platform !== 'android' && platform !== 'ios') return new Left('are neither Android nor iOS')
      return {
        user_id: userId,
        platform,
        app_version: words(row, 'app_version') ?? '',
        device_token: words(row, 'device_token') ?? '',
        deactivated_at: moment(row, 'deactivated_at'),
        preferred_timezone: words(row, 'preferred_timezone'),
        created_at: moment(row, 'created_at') ?? world.now,
      }
    },
  },
]
