/** Answers that the page asked for before any script of the app was there (src/early/early.js), by their address. */
const asked = (globalThis as { vigilEarly?: Record<string, Promise<Response | null>> }).vigilEarly ?? {}

/** The answer to a read that is on its way already, or null; each serves once. */
export async function earlyAnswer(url: string): Promise<Response | null> {
  const answer = asked[url]
  delete asked[url]
  return (await answer) ?? null
}
