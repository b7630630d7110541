import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { handleMailJobs } from './mail.jobs.ts'

import { registerPreviews } from './mail.previews.ts'

export { findHome, homeOf, signedInAt } from './mail.queries.ts'
export { sendMail } from './mail.jobs.ts'
export { composeMail, letterTo, linkToken, requireMail, type MailOrder } from './mail.service.ts'
export {
  defineMail,
  type MailBlock,
  type MailButton,
  type MailFrame,
  type MailTemplate,
  type Words,
  type Written,
} from './mail.templates.ts'

/** Sends the letters of all others by jobs; shows administrators what they look like. */
export function registerMail(app: FastifyInstance, ctx: Ctx): void {
  registerPreviews(app, ctx)
  handleMailJobs(ctx)
}
