import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { handleMailJobs } from './mail.jobs.ts'

export { sendMail } from './mail.jobs.ts'
export { composeMail, linkToken, requireMail, type MailOrder } from './mail.service.ts'
export {
  defineMail,
  type MailBlock,
  type MailButton,
  type MailFrame,
  type MailTemplate,
  type Words,
  type Written,
} from './mail.templates.ts'

/** Sends the letters of all others by jobs. */
export function registerMail(_app: FastifyInstance, ctx: Ctx): void {
  handleMailJobs(ctx)
}
