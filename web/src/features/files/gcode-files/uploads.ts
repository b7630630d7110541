import { type StoredFileBase, uploadGCodeFile } from '@vigil/contract/files/gcode-files.ts'
import type { Problem } from '../../../lib/errors.ts'
import { callWent, onLineBack } from '../../../lib/line.ts'
import { type Resumable, resumable } from '../../../lib/resumable.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { storageQuery } from '../../shop/usage/index.ts'
import { refresh } from './gcode-files.api.ts'

/** So many are sent side by side; the others wait. */
const AT_ONCE = 3

/** How far one file is. */
export type UploadState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending'; readonly sent: number; readonly bytesPerSecond: number | null }
  | { readonly kind: 'paused'; readonly sent: number }
  /** The line is lost; it goes on by itself. */
  | { readonly kind: 'held'; readonly sent: number }
  | { readonly kind: 'refused'; readonly why: 'kind' | 'size' | 'empty' }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'done'; readonly file: StoredFileBase }

/** A file that was chosen, and where it will lie. */
export interface GCodeUpload {
  readonly id: number
  readonly name: string
  readonly size: number
  readonly folder: number | null
  readonly state: UploadState
}

interface Held {
  readonly file: File
  readonly onStored: (file: StoredFileBase) => void
  sending: Promise<Resumable> | null
}

let uploads: readonly GCodeUpload[] = []
let lastId = 0
const held = new Map<number, Held>()
const listeners = new Set<() => void>()

export function subscribeUploads(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Those of this page load, the newest last. They go on whatever screen is shown. */
export const readUploads = (): readonly GCodeUpload[] => uploads

function set(next: readonly GCodeUpload[]): void {
  uploads = next
  for (const listener of listeners) listener()
}

const isUnderWay = ({ state: { kind } }: GCodeUpload) => kind === 'sending' || kind === 'held'

const put = (id: number, state: UploadState) =>
  set(uploads.map((one) => (one.id === id ? { ...one, state } : one)))

function change(id: number, state: UploadState): void {
  put(id, state)
  startNext()
}

/** Those that wait have their turn, in their order. */
function startNext(): void {
  while (uploads.filter(isUnderWay).length < AT_ONCE) {
    const next = uploads.find(({ state }) => state.kind === 'waiting')
    if (!next) return
    start(next)
  }
}

const sentOf = (id: number): number => {
  const state = uploads.find((one) => one.id === id)?.state
  return state && 'sent' in state ? state.sent : 0
}

/** Whether a name ends as G-code does. */
const isGCode = (name: string) => /\.(?:g|gcode|gco)$/i.test(name)

/** Why a file is not taken at all; null when it is. `maxBytes` of null: nobody limits it. */
function refusalOf({ name, size }: File, maxBytes: number | null): UploadState {
  if (!isGCode(name)) return { kind: 'refused', why: 'kind' }
  if (size === 0) return { kind: 'refused', why: 'empty' }
  if (maxBytes !== null && size > maxBytes) return { kind: 'refused', why: 'size' }
  return { kind: 'waiting' }
}

interface Place {
  readonly folder: number | null
  /** How large one may be; null is no limit. */
  readonly maxBytes: number | null
  readonly onStored: (file: StoredFileBase) => void
}

/** Sends files into a folder, a few side by side. */
export function addUploads(files: readonly File[], { folder, maxBytes, onStored }: Place): void {
  const added = files.map((file): GCodeUpload => {
    const id = ++lastId
    held.set(id, { file, onStored, sending: null })
    return { id, name: file.name, size: file.size, folder, state: refusalOf(file, maxBytes) }
  })
  set([...uploads, ...added])
  startNext()
}

const isSending = (id: number) => uploads.find((one) => one.id === id)?.state.kind === 'sending'

function start({ id, name, folder }: GCodeUpload): void {
  const own = held.get(id)
  if (!own) return
  put(id, { kind: 'sending', sent: sentOf(id), bytesPerSecond: null })
  own.sending ??= resumable(own.file, {
    path: uploadGCodeFile.path,
    key: `folder ${folder ?? 'root'}`,
    metadata: { filename: name, parent_folder: String(folder ?? '') },
    onProgress(sent, bytesPerSecond) {
      if (isSending(id)) put(id, { kind: 'sending', sent, bytesPerSecond })
    },
    onDone(answer) {
      const file = answer as StoredFileBase
      change(id, { kind: 'done', file })
      own.onStored(file)
    },
    onFailed: (problem) => fail(id, problem),
  })
  own.sending.then(
    (sending) => {
      if (isSending(id)) sending.go()
    },
    // Its code could not be loaded: as with any other line that is lost.
    () => {
      own.sending = null
      hold(id)
    },
  )
}

function fail(id: number, problem: Problem): void {
  if (problem.kind === 'offline') return hold(id)
  // What was refused is refused again: it begins anew. Where the server was at a loss, it goes on.
  const own = held.get(id)
  if (own && !(problem.kind === 'server' && problem.status >= 500 && problem.status !== 507)) {
    void own.sending?.then(({ giveUp }) => giveUp())
    own.sending = null
  }
  change(id, { kind: 'failed', problem })
}

/** Waits for the line, and goes on. */
function hold(id: number): void {
  change(id, { kind: 'held', sent: sentOf(id) })
  callWent(false)
  const stop = onLineBack(() => {
    stop()
    const one = uploads.find((each) => each.id === id)
    if (one?.state.kind === 'held') start(one)
  })
}

export function pauseUpload(id: number): void {
  void held.get(id)?.sending?.then(({ pause }) => pause())
  change(id, { kind: 'paused', sent: sentOf(id) })
}

/** Goes on with one that was paused or failed; in its turn. */
export const resumeUpload = (id: number): void => change(id, { kind: 'waiting' })

/** Takes it off the list; what is not done is given up. */
export function dropUpload(id: number): void {
  const one = uploads.find((each) => each.id === id)
  if (one && one.state.kind !== 'done') void held.get(id)?.sending?.then(({ giveUp }) => giveUp())
  held.delete(id)
  set(uploads.filter((each) => each.id !== id))
  startNext()
}

/** Takes all off the list that are over. */
export function clearUploads(): void {
  for (const { id, state } of uploads) if (state.kind === 'done' || state.kind === 'refused') held.delete(id)
  set(uploads.filter(({ id }) => held.has(id)))
}

/** Leaving the page would break off what is under way: the browser asks first. */
addEventListener('beforeunload', (event) => {
  if (uploads.some((one) => isUnderWay(one) || one.state.kind === 'waiting')) event.preventDefault()
})

/** What sends files into a folder, and says of each that it lies there. */
export function useUpload(
  onStored?: (file: StoredFileBase) => void,
): (files: readonly File[], folder: number | null) => void {
  const client = useQueryClient()
  const { data } = useQuery(storageQuery)
  return (files, folder) =>
    addUploads(files, {
      folder,
      maxBytes: data?.file_bytes ?? null,
      onStored(file) {
        void refresh(client)
        onStored?.(file)
      },
    })
}
