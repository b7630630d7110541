/** An object as browsers hold it: the JSON of each of its keys, so that a change is found without a second look. */
export type Held = Map<string, string>

/** Brings `held` up to the keys of `part`; returns what changed as the inside of a JSON object, '' for nothing. */
export function update(held: Held, part: object): string {
  let changes = ''
  for (const [key, value] of Object.entries(part)) {
    const json = JSON.stringify(value) as string | undefined
    if (json === undefined || held.get(key) === json) continue
    held.set(key, json)
    changes += `${changes === '' ? '' : ','}${JSON.stringify(key)}:${json}`
  }
  return changes
}

/** As `update`, for an object that is whole: keys that it lacks are told as null. */
export function replace(held: Held, whole: object): string {
  let changes = update(held, whole)
  for (const key of held.keys()) {
    if (Object.hasOwn(whole, key)) continue
    held.delete(key)
    changes += `${changes === '' ? '' : ','}${JSON.stringify(key)}:null`
  }
  return changes
}
