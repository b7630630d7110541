import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** A websocket in the place of the browser's: what the page says is kept, and the test is the server. */
class Wire extends EventTarget {
  static readonly OPEN = 1
  readonly path: string
  readonly said: Record<string, unknown>[] = []
  readyState = 0
  onSaid: (message: Record<string, unknown>) => void = () => undefined

  constructor(url: string) {
    super()
    this.path = new URL(url).pathname
  }

  send(text: string): void {
    const message = JSON.parse(text) as Record<string, unknown>
    this.said.push(message)
    if ('ping' in message) queueMicrotask(() => this.tell({ pong: 1 }))
    else this.onSaid(message)
  }

  close(): void {
    this.readyState = 3
  }

  tell(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
}

/** Every websocket of the page from here on opens at once; `onSaid` hears what the page says on one whose path ends so. */
export function aLine(
  end: string,
  onSaid: (message: Record<string, unknown>, line: Wire) => void = () => {},
) {
  let isThere = true
  const open: Wire[] = []
  vi.stubGlobal(
    'WebSocket',
    class extends Wire {
      constructor(url: string) {
        super(url)
        if (this.path.endsWith(end)) {
          open.push(this)
          this.onSaid = (message) => onSaid(message, this)
        }
        queueMicrotask(() => {
          this.readyState = isThere ? Wire.OPEN : 3
          this.dispatchEvent(isThere ? new Event('open') : new CloseEvent('close', { code: 1006 }))
        })
      }
    },
  )
  return {
    /** What the server says to the page, on the line that was opened last. */
    tell: (message: object) => act(() => open.at(-1)?.tell(message)),
    /** It breaks, and opens no more. */
    cut() {
      isThere = false
      act(() => open.forEach((one) => one.dispatchEvent(new CloseEvent('close', { code: 1006 }))))
    },
    get isOpen() {
      return open.length > 0
    },
  }
}
