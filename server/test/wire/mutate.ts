/** A frame as a hostile or broken agent may send it. */
export interface Mutated {
  readonly data: Buffer
  readonly isBinary: boolean
}

/** Small, seeded, repeatable (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const ODD = [
  'null',
  'NaN',
  '-Infinity',
  '1e999',
  '-1',
  '9007199254740993',
  '18446744073709551616',
  '"\\u0000"',
  '"\\ud800"',
  '""',
  '[]',
  '{}',
  '[[[[[[[[]]]]]]]]',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  `"${'x'.repeat(20_000)}"`,
  'true',
  '"2026-13-45"',
]

const KEYS = ['status', 'event', 'settings', 'passthru', 'janus', 'http.tunnelv2', 'ws.tunnel', '__proto__', 'current_print_ts', 'octoprint_data']

/** `count` frames made from recorded ones: bytes flipped, cut, values replaced, keys renamed. */
export function* mutations(frames: readonly Buffer[], count: number, seed: number): Generator<Mutated> {
  const random = randomOf(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  for (let i = 0; i < count; i++) {
    const frame = pick(frames)
    const isBinary = frame[0] !== 123
    const kind = random()
    if (isBinary || kind < 0.1) yield { data: flip(frame, random, 256), isBinary: true }
    // A text frame that is no UTF-8 never arrives: the websocket itself must refuse it (RFC 6455).
    else if (kind < 0.2) yield { data: flip(frame, random, 128), isBinary: false }
    else if (kind < 0.3) yield { data: frame.subarray(0, Math.floor(random() * frame.length)), isBinary: random() < 0.2 || !isAscii(frame) }
    else if (kind < 0.4) yield { data: Buffer.from(`{"${pick(KEYS)}":${pick(ODD)},"${pick(KEYS)}":${pick(ODD)}}`), isBinary: false }
    else yield { data: replaceValue(frame.toString(), random, pick(ODD)), isBinary: false }
  }
}

const isAscii = (frame: Buffer) => frame.every((byte) => byte < 128)

function flip(frame: Buffer, random: () => number, below: number): Buffer {
  const copy = Buffer.from(frame)
  for (let i = 0; i < 1 + random() * 8; i++) copy[Math.floor(random() * copy.length)] = Math.floor(random() * below)
  return copy
}

/** Puts something odd where a value stood. */
function replaceValue(text: string, random: () => number, odd: string): Buffer {
  const values = [...text.matchAll(/:("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null)/g)]
  const hit = values[Math.floor(random() * values.length)]
  if (hit === undefined) return Buffer.from(text)
  return Buffer.from(`${text.slice(0, hit.index + 1)}${odd}${text.slice(hit.index + hit[0].length)}`)
}
