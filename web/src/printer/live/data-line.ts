/** Ways to printers beside the server's, of this page: a second one to say the same (docs/wire/agents.md 4.4). */
const lines = new Map<number, (text: string) => boolean>()

/** Offers a way to a printer until the returned function is called. */
export function offerDataLine(id: number, send: (text: string) => boolean): () => void {
  lines.set(id, send)
  return () => {
    if (lines.get(id) === send) lines.delete(id)
  }
}

/** Says it that way, too, where there is one that is heard at once: nothing waits on it. */
export function sendData(id: number, message: unknown): void {
  lines.get(id)?.(JSON.stringify(message))
}
