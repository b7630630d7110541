/** What is made once for each `owner`, and goes with it. */
export function keptBy<K extends object, T>(make: (owner: K) => T): (owner: K) => T {
  const kept = new WeakMap<K, { readonly it: T }>()
  return (owner) => {
    const known = kept.get(owner)
    if (known !== undefined) return known.it
    const it = make(owner)
    kept.set(owner, { it })
    return it
  }
}

/**
 * State of one running server: `const bookOf = ofServer(() => new Map())`, then `bookOf(ctx)`. It goes by `live`, which every context
 * of a server shares, a transaction's too; two servers of one process (tests) have each their own.
 */
export function ofServer<T>(make: () => T): (ctx: { readonly live: object }) => T {
  const of = keptBy<object, T>(make)
  return ({ live }) => of(live)
}
