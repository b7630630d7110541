/** What goes between two nodes of one request or websocket: a byte that says what it is, then the rest. */
export const FRAME = {
  /** Of the request. */
  body: 1,
  bodyEnd: 2,
  /** Of the answer: `{status, headers, cookies, length, packing}`. */
  head: 3,
  data: 4,
  end: 5,
  /** `{why}`: a `TunnelTrouble`. */
  failed: 6,
  /** So many bytes came from the agent. */
  counted: 7,
  /** Of a websocket: it is open, a text, bytes, `{code, reason}`. */
  open: 8,
  text: 9,
  bytes: 10,
  closed: 11,
} as const

export type FrameKind = (typeof FRAME)[keyof typeof FRAME]

export function frame(kind: FrameKind, content: Uint8Array | string = ''): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const whole = Buffer.allocUnsafe(1 + bytes.length)
  whole[0] = kind
  whole.set(bytes, 1)
  return whole
}

export const frameOf = (kind: FrameKind, value: unknown): Buffer => frame(kind, JSON.stringify(value))
