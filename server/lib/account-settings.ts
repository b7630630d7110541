import { z } from 'zod'
import { flag, networks, whole } from './setting-values.ts'

/** Settings of who may have an account, how they show that it is theirs, and for how long that counts. */
export const accountSettings = {
  ACCOUNT_ALLOW_SIGN_UP: flag.default(false),
  /** Whether addresses are confirmed by a link: never, when wanted, or before anybody is let in. */
  ACCOUNT_EMAIL_VERIFICATION: z.enum(['none', 'optional', 'mandatory']).default('optional'),
  /** Where passwords that were breached are looked up by five digits of a hash; absent: nobody is asked. */
  BREACHED_PASSWORDS_URL: z
    .url({ protocol: /^https$/ })
    .refine((url) => url.endsWith('/'), 'must end in /')
    .optional(),
  /** A session ends so many days after its beginning, however it is used; 0: never by that. */
  SESSION_MAX_DAYS: whole(0, 3650).default(0),
  /** Networks from which administrators may administer; absent: any. */
  ADMIN_IP_WHITELIST: networks.default([]),
  /** Administrators administer with a second factor alone. */
  ADMIN_SECOND_FACTOR: flag.default(false),
}
