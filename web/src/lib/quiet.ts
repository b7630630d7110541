let settle: () => void

/** Settles when the first screen stands and the browser has nothing to do: what may be wanted later is loaded then. */
export const quiet = new Promise<void>((resolve) => {
  settle = resolve
})

/** Of browsers that don't say when they have nothing to do. */
const SOON_MS = 500

/** The first screen stands. */
export function firstScreenStands(): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(settle, { timeout: 4 * SOON_MS })
  else setTimeout(settle, SOON_MS)
}
