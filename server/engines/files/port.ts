import type { Readable } from 'node:stream'

/** Containers of stored files (docs/wire/rest.md 7). */
export const CONTAINERS = ['tsd-pics', 'tsd-timelapses', 'tsd-gcodes'] as const
export type Container = (typeof CONTAINERS)[number]

/** Where a stored file is; made an absolute, signed address at the edge only (docs/wire/rest.md 2). */
export interface MediaRef<C extends string = Container> {
  container: C
  path: string
}

export interface FileStat {
  numBytes: number
  modifiedAt: Date
}

/**
 * `files`: a folder or S3. Paths are relative, `/`-separated, without `.` or `..` parts. Backups have containers of
 * their own (`engines/backups`).
 */
export interface Files<C extends string = Container> {
  /** Stores a file whole or not at all; returns its size in bytes. Raises `DiskFull` when there is no room. */
  put(ref: MediaRef<C>, content: Uint8Array | Readable): Promise<number>
  /** Null when there is no such file. `range` is inclusive, in bytes. */
  get(ref: MediaRef<C>, range?: { start: number; end: number }): Promise<Readable | null>
  stat(ref: MediaRef<C>): Promise<FileStat | null>
  /** Removing what is not there is no error. */
  remove(ref: MediaRef<C>): Promise<void>
  /** Removes everything below a folder path. */
  removeAll(container: C, folder: string): Promise<void>
  list(container: C, folder: string): AsyncIterable<string>
  close(): Promise<void>
}

/** The server that keeps the files is away or refuses us; `message` says why, and how to mend it. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable'
}

/** No room to write: answered 507, naming the disk (docs/wire/rest.md 1). */
export class DiskFull extends Error {
  override readonly name = 'DiskFull'
  readonly where: string
  constructor(where: string, options?: ErrorOptions) {
    super(`no space left on ${where}`, options)
    this.where = where
  }
}
