/** The same in their order, in pieces of at most so many. */
export function inPieces<T>(all: readonly T[], atMost: number): [T, ...T[]][] {
  const pieces: [T, ...T[]][] = []
  for (const one of all) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length < atMost) last.push(one)
    else pieces.push([one])
  }
  return pieces
}
