/** The same time of day so many calendar months before; the last day of a month that is shorter. */
export function monthsBefore(date: Date, months: number): Date {
  return shifted(date, -months)
}

/** The same, after. */
export function monthsAfter(date: Date, months: number): Date {
  return shifted(date, months)
}

function shifted(date: Date, months: number): Date {
  const moved = new Date(date)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(date.getUTCDate(), last))
  return moved
}
