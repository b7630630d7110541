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

/** Ids of a process and of all that descend from it. */
export const membersOf = (root: number): number[] => familyOf(root).map(({ pid }) => pid)

/** Ends a process and all that descend from it, at once (kill -9). */
export function killFamily(root: number): void {
  for (const { pid } of familyOf(root)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended with its parent.
    }
  }
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

/** Memory in bytes. */
export interface Memory {
  /** The sum of what each process sees, so that shared pages count several times. */
  readonly rss: number
  /** Each page once: what these processes need on a machine of their own. */
  readonly own: number
}

function memoryOf(members: Stat[]): Memory {
  const files = new Map<string, number>()
  let rss = 0
  let own = 0
  for (const { pid } of members) {
    const [all, maps] = [read(`/proc/${pid}/smaps_rollup`), read(`/proc/${pid}/smaps`)]
    rss += kilobytes(all, 'Rss')
    own += kilobytes(all, 'Pss_Anon') + kilobytes(all, 'Pss_Shmem')
    // Programs and libraries: other users of the machine may share them, so each counts as a whole, but once.
    for (const map of maps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)) {
      const [, , offset, , inode, path] = (map.split('\n', 1)[0] ?? '').split(/\s+/)
      const pages = kilobytes(map, 'Rss') - kilobytes(map, 'Anonymous')
      if (!path?.startsWith('/') || path.startsWith('/dev/') || pages <= 0) continue
      const file = `${inode}:${offset}`
      files.set(file, Math.max(files.get(file) ?? 0, pages))
    }
  }
  return { rss, own: own + sum([...files.values()]) }
}

const kilobytes = (text: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** What the server and its PostgreSQL occupy. */
export interface Footprint {
  readonly all: Memory
  readonly node: Memory
  readonly postgres: Memory
}

/** What the server below `root` occupies now; shared memory of PostgreSQL's processes counts once. */
export function memoryOfFamily(root: number): Footprint {
  const family = familyOf(root)
  return {
    all: memoryOf(family),
    node: memoryOf(family.filter((one) => !isPostgres(one))),
    postgres: memoryOf(family.filter(isPostgres)),
  }
}
