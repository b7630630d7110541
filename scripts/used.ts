import { readdirSync, readFileSync } from 'node:fs'

/** Of Linux, whatever the machine. */
const TICKS_PER_SECOND = 100

/** Fields of `/proc/<pid>/stat` after the name in brackets: the parent, and time used by the process and by children that ended. */
function statOf(pid: string): { parent: string; ticks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0)
    return { parent: fields[1] ?? '', ticks }
  } catch {
    return null // it has just ended
  }
}

/** Processor seconds that this process and all that it started have used so far: servers, browsers, ffmpeg. */
export function usedSeconds(): number {
  const children = new Map<string, string[]>()
  const used = new Map<string, number>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d{1,10}$/.test(name))) {
    const stat = statOf(pid)
    if (stat === null) continue
    used.set(pid, stat.ticks)
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), pid])
  }
  const sum = (pid: string): number =>
    (children.get(pid) ?? []).reduce((total, child) => total + sum(child), used.get(pid) ?? 0)
  return sum(String(process.pid)) / TICKS_PER_SECOND
}
