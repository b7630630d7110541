/** Lines that both firmwares take in the same words. */

/** Never in an exponent's form, which no firmware reads. */
export function decimal(value: number): string {
  return String(Number(value.toFixed(3)))
}

export function fanLine(percent: number): string {
  const speed = Math.round((Math.min(100, Math.max(0, percent)) / 100) * 255)
  return speed === 0 ? 'M107' : `M106 S${speed}`
}

export const speedLine = (percent: number) => `M220 S${Math.round(percent)}`
export const flowLine = (percent: number) => `M221 S${Math.round(percent)}`

const EXTRUDE_FEED = 300

export function extrudeLines(mm: number, tool: number | null): string[] {
  return [...(tool === null ? [] : [`T${tool}`]), 'M83', `G1 E${decimal(mm)} F${EXTRUDE_FEED}`]
}
