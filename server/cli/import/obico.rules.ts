/** How what Obico's server has put down reads here. Pure. */
import { z } from 'zod'
import type { ForeignRow } from '../../engines/db/foreign.ts'
import { CONTAINERS, type Container, type MediaRef } from '../../engines/files/port.ts'

/** A value that SQLite and PostgreSQL both give as text or nothing. */
export const words = (row: ForeignRow, column: string): string | null => {
  const value = row[column]
  return value === null || value === undefined ? null : String(value)
}

export const number = (row: ForeignRow, column: string): number | null => {
  const value = row[column]
  return value === null || value === undefined || value === '' ? null : Number(value)
}

/** SQLite has 0 and 1. */
export const flag = (row: ForeignRow, column: string): boolean => row[column] === true || row[column] === 1

/** Django writes moments in UTC; SQLite has them without saying so. */
export function moment(row: ForeignRow, column: string): string | null {
  const text = words(row, column)
  if (text === null) return null
  const whole = text.replace(' ', 'T')
  return /(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(whole) ? whole : `${whole}Z`
}

/** A UUID, which SQLite has without its dashes. */
export function uuid(row: ForeignRow, column: string): string | null {
  const hex = words(row, column)?.replaceAll('-', '') ?? ''
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(hex)
  return parts === null ? null : parts.slice(1).join('-')
}

const containers = z.enum(CONTAINERS)

/** The stored file that an address leads to (`https://…/media/tsd-pics/snapshots/1/2.jpg?digest=…`); null for any other address. */
export function mediaOf(address: string | null): MediaRef | null {
  const [, container, path] =
    /\/(tsd-[a-z]{1,20})\/([^?#]{1,900})/.exec((address ?? '').slice(0, 2_000)) ?? []
  const known = containers.safeParse(container)
  if (!known.success || path === undefined) return null
  try {
    return { container: known.data, path: decodeURIComponent(path) }
  } catch {
    return null
  }
}

/** What is made again when it is old here is kept by another name: a picture of an event is made once. */
export const eventPictureOf = (ref: MediaRef): MediaRef => ({
  ...ref,
  path: ref.path.replace(/_rotated\.jpg$/, '_upright.jpg'),
})

/** A hash of Django's that signing in understands (people/passwords); null for what nobody can sign in with. */
export function passwordOf(hash: string | null): string | null {
  return hash !== null && /^pbkdf2_sha(?:256|1)\$\d{1,8}\$[^$]{1,200}\$[A-Za-z0-9+/=]{20,100}$/.test(hash)
    ? hash
    : null
}

/** The time in a picture's name (`…/1700000000.123.jpg`); null where there is none. */
export function timeOfPicture(path: string): string | null {
  const seconds = Number(/\/(\d{9,11}(?:\.\d{1,9})?)\.jpg$/.exec(path)?.[1] ?? Number.NaN)
  return Number.isNaN(seconds) ? null : new Date(seconds * 1000).toISOString()
}

const config = z.record(z.string(), z.unknown())

/** How a channel is set up; null for what is no JSON object. */
export function configOf(text: string | null): Record<string, unknown> | null {
  if (text === null || text === '') return {}
  try {
    return config.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Where a container's files lie in the folder of media. */
export const placeIn = (media: string, { container, path }: { container: Container; path: string }): string =>
  `${media}/${container}/${path}`
