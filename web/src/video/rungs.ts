/** One way to a moving picture: a stream of the printer's media gateway, and how it comes (docs/wire/agents.md 4.4). */
export interface Rung {
  kind: 'h264' | 'mjpeg'
  streamId: number
}

/** What an agent says of a camera's stream, whatever it is. */
export interface Stream {
  mode: string | null
  id: number | null
}

/** As agents give them to cameras that they tell no stream of. */
const OF_OLD: readonly Rung[] = [
  { kind: 'h264', streamId: 0 },
  { kind: 'h264', streamId: 1 },
  { kind: 'mjpeg', streamId: 2 },
]

/** The ways to a camera's moving picture, the best one first; none where it has none. */
export function rungsOf({ mode, id }: Stream, primary: boolean): readonly Rung[] {
  const kind = mode?.includes('h264') ? 'h264' : mode?.includes('mjpeg') ? 'mjpeg' : null
  if (id !== null) return kind ? [{ kind, streamId: id }] : []
  if (!primary) return []
  return OF_OLD.filter((each) => kind === null || each.kind === kind)
}
