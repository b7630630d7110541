import type { bootstrap, User } from '@vigil/contract/people/accounts.ts'
import type { Reply } from '@vigil/contract/endpoint.ts'
import type { Brand } from '../../../brands/brands.ts'
import { keptByPerson } from '../../../http/acting.ts'
import type { Principal } from '../../../http/principal.ts'
import { usernameOf } from './users.rules.ts'
import type { UserRow } from './users.queries.ts'

/** ISO-8601 in UTC, microseconds when there are any (docs/wire/rest.md 1). */
const wireTime = (time: Date) =>
  time.toISOString().replace(/\.(\d{3})Z$/, (_, ms) => (ms === '000' ? 'Z' : `.${ms}000Z`))
const wireTimeOrNull = (time: Date | null) => (time === null ? null : wireTime(time))

/** docs/wire/rest.md 5, User, for whom `reader` is. `isUnlimited` is the edition's answer, not a column. */
export function presentUser(
  row: UserRow,
  { isUnlimited, brandId, reader }: { isUnlimited: boolean; brandId: number; reader: Principal },
): User {
  return {
    id: row.id,
    email: row.email,
    username: usernameOf(row.email, brandId),
    first_name: row.firstName,
    last_name: row.lastName,
    date_joined: wireTime(row.createdAt),
    consented_at: wireTimeOrNull(row.consentedAt),
    last_active_at: wireTimeOrNull(row.lastActiveAt),
    is_pro: row.isPro,
    subscription:
      row.planId === null ? null : { plan_id: row.planId, expired_at: wireTimeOrNull(row.planEndsAt) },
    dh_balance: row.dhBalance,
    is_dh_unlimited: isUnlimited,
    unsub_token: keptByPerson(reader, row.unsubToken),
    account_notification_by_email: row.accountNotificationByEmail,
    notification_enabled: row.notificationEnabled,
    mobile_app_canary: row.mobileAppCanary,
    tunnel_cap_multiplier: row.tunnelCapMultiplier,
    unseen_printer_events: row.unseenPrinterEvents,
    is_primary_email_verified: row.isPrimaryEmailVerified,
    language: row.language === 'zh' ? 'zh' : 'en',
    time_zone: row.timeZone,
    theme: row.theme,
  }
}

/** The brand as the page knows it (docs/rules/people.md 1): the logo's path stands below the prefix. */
export function presentBrand(brand: Brand): Reply<typeof bootstrap>['page_context']['syndicate'] {
  const { name, display_name, docs, community, theme, colors } = brand
  const logo_full = `/brands/${name}/mark.svg`
  return { name, display_name, docRoot: docs ?? '', community: community ?? '', logo_full, theme, colors }
}
