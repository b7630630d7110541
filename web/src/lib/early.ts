import { firstScreenStands } from './quiet.ts'

/** Answers that the page asked for before any script of the app was there (src/early/early.js), by their address. */
const asked = (globalThis as { vigilEarly?: Record<string, Promise<Response | null>> }).vigilEarly ?? {}
delete (globalThis as { vigilEarly?: unknown }).vigilEarly

/** The answer to a call that is on its way already, or null; each serves once. */
export async function earlyAnswer(url: string): Promise<Response | null> {
  const answer = asked[url]
  delete asked[url]
  return (await answer) ?? null
}

const frame = document.getElementById('early')

/** The frame of the page itself stands until the app shows one of its pages. */
export function watchEarly(root: Element): void {
  const watch = new MutationObserver(() => {
    if (!root.querySelector('main')) return
    watch.disconnect()
    frame?.remove()
    firstScreenStands()
  })
  watch.observe(root, { childList: true, subtree: true })
}

export interface Typed {
  values: { email: string; password: string; remember: boolean }
  /** It is on its way to the server; the next call of the sign-in has the answer. */
  sent: boolean
}

const form = () => frame?.querySelector('form') ?? null

/** The name of the field of the page's own sign-in that is being typed into; null where that doesn't stand. */
export function earlyField(): string | null {
  return form() && (document.activeElement?.getAttribute('name') ?? 'email')
}

/** Ends the page's own sign-in and tells what was typed into it; null where it doesn't stand. */
export function takeTyped(): Typed | null {
  const left = form()
  if (!left?.isConnected) return null
  const given = new FormData(left)
  frame?.remove()
  return {
    values: {
      email: String(given.get('email')),
      password: String(given.get('password')),
      remember: given.has('remember'),
    },
    sent: left.ariaBusy === 'true',
  }
}
