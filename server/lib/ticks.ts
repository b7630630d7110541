/** What a tick needs of its server; `Ctx` has it. */
export interface Ticking {
  readonly clock: { monotonic(): number }
  readonly stopping: AbortSignal
  readonly log: { error(what: object, sentence: string): void }
}

/**
 * Calls `fn` every `ms` with the monotonic time in milliseconds, until the server stops or the returned function is
 * called. Keeps no process alive. A turn that is still at work when the next is due is not overtaken; one that fails is
 * logged, and the next comes all the same.
 */
export function everyTick(ctx: Ticking, ms: number, fn: (now: number) => unknown): () => void {
  let isBusy = false
  const turn = async () => {
    if (isBusy) return
    isBusy = true
    try {
      await fn(ctx.clock.monotonic())
    } catch (error) {
      ctx.log.error({ err: error }, 'what is done every few seconds failed this time')
    } finally {
      isBusy = false
    }
  }
  const timer = setInterval(() => void turn(), ms).unref()
  const stop = () => {
    clearInterval(timer)
    ctx.stopping.removeEventListener('abort', stop)
  }
  ctx.stopping.addEventListener('abort', stop, { once: true })
  if (ctx.stopping.aborted) stop()
  return stop
}
