import type { Config } from '../../config.ts'
import { whyNoMail } from '../../engines/mail/index.ts'
import { broken, type Finding, fine } from './finding.ts'

/** The mail server answers and lets us in; no letter is sent. */
export async function checkMail(config: Config): Promise<Finding> {
  const { EMAIL_HOST, EMAIL_PORT } = config
  if (EMAIL_HOST === undefined) return fine('No mail server is set (EMAIL_HOST): nothing is mailed.')
  const why = await whyNoMail(config)
  if (why === null) return fine(`The mail server ${EMAIL_HOST}:${EMAIL_PORT} takes letters of ours.`)
  return broken(
    `The mail server ${EMAIL_HOST}:${EMAIL_PORT} takes no letters of ours: ${why}`,
    'Correct EMAIL_HOST, EMAIL_PORT (587 is STARTTLS, 465 TLS), EMAIL_HOST_USER and EMAIL_HOST_PASSWORD.',
  )
}
