import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { JobKind } from '../../../engines/jobs/port.ts'
import { INSTALL_STEPS, installSlicer, NotInstalled } from '../../../engines/slicer/install.ts'
import { type Text, text } from '../../../http/texts.ts'
import { slicerName } from '../profiles/index.ts'

/** The slicer is brought to the node that takes the job. It is not tried again unasked. */
export const INSTALL: JobKind<Record<string, never>> = {
  name: 'slicer-install',
  schema: z.strictObject({}),
  retries: 0,
  concurrency: 1,
  timeoutMs: 45 * 60_000,
}

const KEY = 'slicer-installation'
/** A download that is told nothing of for so long has ended with its server. */
const SILENT_MS = 120_000
/** So long it is said why nothing came of it. */
const FAILED_MS = 15 * 60_000
/** Each percent is told, no more. */
const STEPS = 100
/** One that is done is on its way until all servers have seen it, who look every ten seconds. */
const SEEN_MS = 30_000

const kept = z.union([
  z.object({ step: z.enum(INSTALL_STEPS), share: z.number() }),
  z.object({ failed: z.enum(['noApt', 'aptFailed', 'noProof', 'named', 'broken']), said: z.string() }),
])
type Kept = z.infer<typeof kept>

/** How far an installation is, or why the last one came to nothing; null when there is none. */
export async function readInstallation(ctx: Ctx): Promise<Kept | null> {
  const bytes = await ctx.live.get(KEY)
  return bytes === null ? null : kept.parse(JSON.parse(bytes.toString()))
}

/** Has the slicer installed, unless it is there, or on its way. */
export async function askInstallation(ctx: Ctx): Promise<void> {
  if ((await slicerName(ctx)) !== null) return
  const now = await readInstallation(ctx)
  if (now !== null && 'step' in now) return
  await tell(ctx, { step: 'lists', share: 0 })
  await ctx.jobs.enqueue(ctx.db, INSTALL, {}, { singletonKey: 'slicer', owner: null })
}

const tell = (ctx: Ctx, what: Kept, forMs = 'step' in what ? SILENT_MS : FAILED_MS) =>
  ctx.live.put(KEY, JSON.stringify(what), forMs)

/** Installs it, and tells how far that is. */
export async function runInstallation(ctx: Ctx, signal: AbortSignal): Promise<void> {
  let last = -1
  const onProgress = (step: (typeof INSTALL_STEPS)[number], share: number) => {
    const percent = Math.floor(share * STEPS)
    if (percent <= last) return
    last = percent
    void tell(ctx, { step, share }).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'how far an installation is could not be told')
    })
  }
  try {
    const name = await installSlicer(ctx, { signal, onProgress })
    ctx.log.info({ slicer: name }, 'a slicer was installed')
    await tell(ctx, { step: 'proof', share: 1 }, SEEN_MS)
  } catch (error) {
    if (signal.aborted || ctx.stopping.aborted) {
      await ctx.live.put(KEY, null, 0)
      throw error
    }
    ctx.log.error({ err: error }, 'the slicer could not be installed')
    const why: Kept =
      error instanceof NotInstalled ? { failed: error.why, said: error.said } : { failed: 'broken', said: '' }
    await tell(ctx, why)
  }
}

/** Why nothing came of it, as a sentence. */
export const whyNotInstalled = (failed: string, said: string): Text =>
  text('slicing-server', `install.${failed}`, { said })
