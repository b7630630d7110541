/** What is made when it is first asked for, and kept. What fails is tried again by the next who asks. */
export function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined
  return () => (made ??= { it: make() }).it
}
