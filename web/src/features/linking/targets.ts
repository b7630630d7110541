/** What a printer runs, as the wizard's addresses name it. */
export const TARGETS = ['octoprint', 'klipper-generic', 'klipper-preinstalled'] as const
export type Target = (typeof TARGETS)[number]

/** An address may also name a product, such as `klipper-mintion-enabled`: guided like a pre-installed one. */
export function readTarget(value: string | undefined): Target {
  if (value === 'octoprint' || value === 'klipper-generic') return value
  return 'klipper-preinstalled'
}

/** The printer to link again, if the wizard was opened for one. */
export function readPrinterId(search: Record<string, unknown>): number | null {
  const id = Number(search['printerId'])
  return Number.isInteger(id) && id > 0 ? id : null
}
