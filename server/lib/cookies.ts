/** Every cookie of ours is called so, whatever it is for: by this a tunnel knows what no printer may see or set (docs/wire/remote.md 4). */
export type OurCookie = `tsd_${string}` | `__Host-tsd_${string}`

const OURS = /^(?:__host-|__secure-)?tsd_/i

/** Whether a cookie is ours by its name; browsers take the two prefixes in any case. */
export const isOurCookie = (name: string): boolean => OURS.test(name)
