import type { Config } from '../../config.ts'
import { type Mail, MailUnavailable } from './port.ts'

/** Opens `mail`: SMTP when `EMAIL_HOST` is set, else nothing that could send. */
export async function openMail(config: Config): Promise<Mail> {
  const from = senderOf(config)
  if (config.EMAIL_HOST === undefined)
    return {
      isConfigured: false,
      from,
      send: () => Promise.reject(new MailUnavailable('EMAIL_HOST is not set: this server sends no mail.')),
      close: () => Promise.resolve(),
    }
  const { openSmtp } = await import('./smtp.ts')
  return openSmtp({ ...config, EMAIL_HOST: config.EMAIL_HOST }, from)
}

/** `Name <address>` or an address; else what the mail server's account or name suggest. */
function senderOf({ DEFAULT_FROM_EMAIL, EMAIL_HOST_USER, EMAIL_HOST, brands }: Config): Mail['from'] {
  const account = EMAIL_HOST_USER?.includes('@') ? EMAIL_HOST_USER : `vigil@${EMAIL_HOST ?? 'localhost'}`
  const [before = '', within] = (DEFAULT_FROM_EMAIL ?? account).split(/[<>]/)
  if (within === undefined) return { name: brands[0].display_name, address: before.trim() }
  return { name: before.replaceAll('"', '').trim() || brands[0].display_name, address: within }
}

/** Why the mail server that is set lets us in not, in its words; null when it does. */
export async function whyNoMail(config: Config): Promise<string | null> {
  if (config.EMAIL_HOST === undefined) return 'EMAIL_HOST is not set.'
  const { whyNoSmtp } = await import('./smtp.ts')
  return whyNoSmtp({ ...config, EMAIL_HOST: config.EMAIL_HOST })
}
