/** What a slicer lays down, as all of them can be told apart. Its place in this list is what a move keeps of it. */
export const FEATURES = [
  'other',
  'outer',
  'inner',
  'overhang',
  'infill',
  'solid',
  'top',
  'bridge',
  'gap',
  'skirt',
  'support',
  'interface',
  'ironing',
  'tower',
  'custom',
  'travel',
  'jump',
] as const
export type Feature = (typeof FEATURES)[number]

export const OTHER = 0
export const TRAVEL = FEATURES.indexOf('travel')
/** From where nobody knows to where it is known: homing. Never shown. */
export const JUMP = FEATURES.indexOf('jump')

/** What walls hide. */
export const INSIDE: readonly Feature[] = ['inner', 'infill', 'solid', 'gap']

/** The words by which slicers name them, the telling ones first: "support interface" is no support, "solid infill" no infill. */
const SIGNS: readonly (readonly [RegExp, Feature])[] = [
  [/tower|pillar|ooze/, 'tower'],
  [/skirt|brim|raft/, 'skirt'],
  [/support.{0,100}(?:interface|transition)|dense support/, 'interface'],
  [/support/, 'support'],
  [/iron/, 'ironing'],
  [/bridge/, 'bridge'],
  [/overhang/, 'overhang'],
  [/gap|thin wall/, 'gap'],
  [/top|^skin|crown/, 'top'],
  [/solid|bottom|vertical shell/, 'solid'],
  [/external|outer|^'?perimeter path/, 'outer'],
  [/perimeter|inner|wall|loop|shell/, 'inner'],
  [/fill|sparse/, 'infill'],
  [/custom/, 'custom'],
]

/** What a slicer's own word means (`External perimeter`, `WALL-OUTER`, `Outer wall`, `outer perimeter` …); its place in the list. */
export function featureOf(word: string): number {
  const plain = word.trim().toLowerCase()
  const found = SIGNS.find(([sign]) => sign.test(plain))
  return found ? FEATURES.indexOf(found[1]) : OTHER
}
