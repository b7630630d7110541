/** What processes have used, from /proc: the server's own account, with the load's apart. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

interface Stat {
  readonly pid: number
  readonly parent: number
  readonly name: string
  /** Seconds of processor time, of ended children too. */
  readonly cpu: number
}

function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const fields = text
      .slice(end + 2)
      .split(' ')
      .map(Number)
    // Fields 14 to 17 of proc(5): user, system, and the same of children that have been waited for.
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + (fields[at] ?? 0), 0)
    return {
      pid,
      parent: fields[1] ?? 0,
      name: text.slice(text.indexOf('(') + 1, end),
      cpu: ticks / TICKS_PER_SECOND,
    }
  } catch {
    return null
  }
}

/** A process and all that descend from it. */
function familyOf(root: number): Stat[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []))
  const family = all.filter(({ pid }) => pid === root)
  for (const member of family) family.push(...all.filter(({ parent }) => parent === member.pid))
  return family
}

/** Seconds of processor time used so far. */
export interface Cpu {
  readonly node: number
  readonly postgres: number
}

const isPostgres = ({ name }: Stat) => name.startsWith('postgres')
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** What the server below `root` has used so far, Node's processes and PostgreSQL's. */
export function cpuOf(root: number): Cpu {
  const family = familyOf(root)
  const of = (members: Stat[]) => sum(members.map(({ cpu }) => cpu))
  return { node: of(family.filter((one) => !isPostgres(one))), postgres: of(family.filter(isPostgres)) }
}

/** Memory in bytes. `pss` counts what processes share once, so it is the one that adds up. */
export interface Memory {
  readonly rss: number
  readonly pss: number
}

function memoryOf(members: Stat[]): Memory {
  const field = (text: string, name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024
  const texts = members.flatMap(({ pid }) => {
    try {
      return [readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')]
    } catch {
      return []
    }
  })
  return {
    rss: sum(texts.map((text) => field(text, 'Rss'))),
    pss: sum(texts.map((text) => field(text, 'Pss'))),
  }
}

/** What the server below `root` occupies now. */
export function memoryOfFamily(root: number): { readonly node: Memory; readonly postgres: Memory } {
  const family = familyOf(root)
  return {
    node: memoryOf(family.filter((one) => !isPostgres(one))),
    postgres: memoryOf(family.filter(isPostgres)),
  }
}
