import * as answers from '@vigil/contract/assistant/answers.ts'
import * as api from '@vigil/contract/assistant/chats.ts'
import type { Chat } from '@vigil/contract/assistant/chats.ts'
import { slicingProfiles } from '@vigil/contract/assistant/presets.ts'
import type { FastifyInstance } from 'fastify'
import { brandOf } from '../../../http/brands.ts'
import type { Ctx } from '../../../ctx.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import { spend } from '../../../http/limits.ts'
import { languageOf, route } from '../../../http/route.ts'
import type { UserId } from '../../../lib/id.ts'
import { findOwnFile } from '../../files/gcode-files/index.ts'
import { userById } from '../../people/accounts/index.ts'
import { situationOf } from '../advisor/situation.ts'
import { answerTo, lookAtPlate, mindsHere, type Shown } from '../minds/minds.service.ts'
import { momentAt, momentsOf } from '../moments/moments.service.ts'
import {
  type ChatRow,
  type ChatValues,
  findChat,
  findChats,
  insertChat,
  removeChat,
  updateChat,
} from './chats.queries.ts'
import { creditsOf, purseOf } from './credits.service.ts'

const MOST_SHOWN = 200
/** Nobody types faster. */
const LIMIT = { name: 'assistant', tries: 60, windowMs: 60_000 }

/** What the assistant is asked (docs/rules/assistant.md). */
export function answerRoutes(app: FastifyInstance, ctx: Ctx): void {
  const counted = (userId: UserId) => spend(ctx, { limit: LIMIT, who: String(userId) })
  route(app, answers.sendMessage, async ({ principal, body, request, edge }) => {
    await counted(principal.userId)
    const language = languageOf(request)
    const { picture } = body
    const moment =
      picture && 'print_id' in picture
        ? await momentAt(ctx, principal, { printId: picture.print_id, at: picture.at, edge, language })
        : null
    const shown: Shown | null =
      moment?.shown ?? (picture && 'image' in picture ? { picture: picture.image, words: [] } : null)
    const asked = {
      messages: body.messages,
      situation: situationOf(body.slicing_profiles, body.plates),
      language,
      shown,
      isWithoutModel: body.mind === 'advisor',
    }
    const message = await answerTo(ctx, asked, purseOf(ctx, principal.userId))
    return { message: { ...message, ...(moment ? { looked_at: moment.lookedAt } : {}) } }
  })
  route(app, answers.analysePlate, async ({ principal, body, request }) => {
    await counted(principal.userId)
    const situation = situationOf(body.slicing_profiles ?? slicingProfiles.parse({}), body.plates)
    const asked = {
      pictures: body.images,
      situation,
      language: languageOf(request),
      isWithoutModel: body.mind === 'advisor',
    }
    return { message: await lookAtPlate(ctx, asked, purseOf(ctx, principal.userId)) }
  })
  route(app, answers.listMoments, async ({ principal, params, edge }) => ({
    moments: await momentsOf(ctx, principal, params.id, edge),
  }))
}

/** Chats as they are kept, and who is chatting. */
export function chatRoutes(app: FastifyInstance, ctx: Ctx): void {
  const now = () => new Date(ctx.clock.now())
  const change = async (userId: UserId, id: number, body: Changes) => {
    const row = await updateChat(ctx.db, userId, id, { ...(await valuesOf(ctx, userId, body)), now: now() })
    if (row === undefined) throw notFound()
    return present(row)
  }
  route(app, api.listChats, async ({ principal, query }) => {
    const rows = await findChats(ctx.db, principal.userId, {
      fileId: query.g_code_file_id,
      limit: MOST_SHOWN,
    })
    return rows.map(present)
  })
  route(app, api.createChat, async ({ principal: { userId }, body }) => {
    const { messages, ...rest } = body
    return present(
      await insertChat(ctx.db, userId, { ...(await valuesOf(ctx, userId, rest)), messages }, now()),
    )
  })
  route(app, api.getChat, async ({ principal, params }) => {
    const row = await findChat(ctx.db, principal.userId, params.id)
    if (row === undefined) throw notFound()
    return present(row)
  })
  route(app, api.replaceChat, ({ principal, params, body }) => change(principal.userId, params.id, body))
  route(app, api.updateChat, ({ principal, params, body }) => change(principal.userId, params.id, body))
  route(app, api.deleteChat, async ({ principal, params }) => {
    if (!(await removeChat(ctx.db, principal.userId, params.id))) throw notFound()
    return null
  })
}

/** Who is chatting, and with whom. */
export function meRoute(app: FastifyInstance, ctx: Ctx): void {
  route(app, api.getAssistantUser, async ({ principal, request }) => {
    const user = await userById(ctx, principal.userId)
    if (user === undefined) throw notFound()
    return {
      user: {
        id: user.id,
        username: user.email,
        email: user.email,
        first_name: user.firstName,
        last_name: user.lastName,
      },
      ai_credits: await creditsOf(ctx, user.id),
      assistant: mindsHere(ctx),
      support: {
        by: ctx.config.IS_ENT && !user.isPro ? ('community' as const) : ('form' as const),
        email: ctx.config.SUPPORT_EMAIL ?? null,
        community_url: brandOf(request, ctx).community,
      },
    }
  })
}

interface Changes {
  readonly messages?: string | undefined
  readonly machine_name?: string | null | undefined
  readonly filament_name?: string | null | undefined
  readonly print_process_name?: string | null | undefined
  readonly slicing_settings_json?: string | null | undefined
  readonly g_code_file_id?: number | null | undefined
  readonly user_feedback?: 'positive' | 'negative' | null | undefined
  readonly user_feedback_text?: string | null | undefined
}

/** Only what was given changes; a file is the caller's own or none. */
async function valuesOf(ctx: Ctx, userId: UserId, body: Changes): Promise<ChatValues> {
  const fileId = body.g_code_file_id
  const file = fileId == null ? null : await findOwnFile(ctx.db, userId, fileId)
  if (fileId != null && !file) throw invalid({ g_code_file_id: 'Invalid pk - object does not exist.' })
  const given = {
    messages: body.messages,
    machineName: body.machine_name,
    filamentName: body.filament_name,
    printProcessName: body.print_process_name,
    slicingSettingsJson: body.slicing_settings_json,
    userFeedback: body.user_feedback,
    userFeedbackText: body.user_feedback_text,
    gCodeFileId: fileId === undefined ? undefined : (file?.id ?? null),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const present = (row: ChatRow): Chat => ({
  id: row.id,
  messages: row.messages,
  machine_name: row.machineName,
  filament_name: row.filamentName,
  print_process_name: row.printProcessName,
  slicing_settings_json: row.slicingSettingsJson,
  g_code_file_id: row.gCodeFileId,
  user_feedback: row.userFeedback,
  user_feedback_text: row.userFeedbackText,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})
