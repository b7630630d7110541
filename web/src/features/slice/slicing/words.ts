/** A size as people write it, in mm. */
export const size = (sides: readonly number[]) =>
  `${sides.map((side) => Number(side.toFixed(1))).join(' × ')}\u00A0mm`
