import { Readable } from 'node:stream'
import * as api from '@vigil/contract/shop/hours.ts'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { notFound } from '../../../http/errors.ts'
import { serverPage } from '../../../http/page.ts'
import { languageOf, route } from '../../../http/route.ts'
import { type Language, text } from '../../../http/texts.ts'
import type { UserId } from '../../../lib/id.ts'
import { findTransactions, type TransactionRow } from './hours.queries.ts'
import { HOUR_S, hoursOf } from './hours.service.ts'

/** So many rows of a statement are read at once. */
const PAGE = 1000

const describe = (reason: string, language: Language) => text('hours-server', reason).in(language)

/** What an account has, its statement in pages, and whole as CSV; also where hours are only earned, as nothing is used up. */
export function hoursRoutes(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.getDetectionHours, ({ principal }) => hoursOf(ctx, principal.userId))
  route(app, api.listHourTransactions, async ({ principal, query, request }) => {
    const language = languageOf(request)
    const rows = await findTransactions(ctx.db, principal.userId, query)
    return rows.map(({ id, createdAt, seconds, kind, bucket, reason, printId, filename, balanceAfter }) => ({
      id,
      created_at: createdAt.toISOString(),
      hours: seconds / HOUR_S,
      kind: kind as api.HourKind,
      bucket: bucket as api.HourBucket,
      description: describe(reason, language),
      print: printId,
      print_name: filename,
      balance_after: balanceAfter / HOUR_S,
    }))
  })
  serverPage(
    app,
    { path: '/ent/api/detection_hours/statement/', callers: ['session'] },
    async (request, reply) => {
      const { principal } = request
      if (principal.kind !== 'user') throw notFound()
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="detection-hours.csv"')
        .send(Readable.from(statement(ctx, principal.userId, languageOf(request))))
    },
  )
}

/** Every row, newest first, as CSV: read page by page as it is fetched. */
async function* statement({ db }: Ctx, userId: UserId, language: Language): AsyncGenerator<string> {
  yield 'time,kind,bucket,description,print,seconds,balance_seconds\r\n'
  let before: number | undefined
  for (;;) {
    const rows = await findTransactions(db, userId, {
      start: 0,
      limit: PAGE,
      ...(before !== undefined && { before }),
    })
    yield rows.map((row) => lineOf(row, language)).join('')
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    before = last.id
  }
}

const lineOf = (
  { createdAt, kind, bucket, reason, printId, seconds, balanceAfter }: TransactionRow,
  language: Language,
) => {
  const words = `"${describe(reason, language).replaceAll('"', '""')}"`
  return `${[createdAt.toISOString(), kind, bucket, words, printId ?? '', seconds, balanceAfter].join(',')}\r\n`
}
