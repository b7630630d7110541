import type { Page } from 'playwright-core'

type Metrics = Record<string, number>

/** Processor time of the page's main thread since this call, whatever else the machine does. */
export async function meter(page: Page): Promise<() => Promise<Metrics>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
  }
}

/** Scrolls from end to end, a step a frame; with `pixels` so far at a time, for at most 400 frames. */
export async function scroll(
  page: Page,
  pixels?: number,
): Promise<{ frames: number; slow: number; longestMs: number }> {
  return page.evaluate(async (far) => {
    const gaps: number[] = []
    let last = performance.now()
    const height = document.documentElement.scrollHeight - innerHeight
    const steps = Math.min(400, Math.max(60, Math.round(height / (far ?? 60))))
    const step = far ?? height / steps
    for (let at = 0; at < steps; at++) {
      scrollTo(0, step * at)
      await new Promise(requestAnimationFrame)
      const now = performance.now()
      gaps.push(now - last)
      last = now
    }
    return {
      frames: gaps.length,
      slow: gaps.filter((gap) => gap > 50).length,
      longestMs: Math.max(...gaps),
    }
  }, pixels)
}
