import type { ForeignRow } from '../../engines/db/foreign.ts'
import type { MediaRef } from '../../engines/files/port.ts'
import { flag, mediaOf, moment, number, timeOfPicture, words } from './obico.rules.ts'
import { Left, type Mapping, type World } from './world.ts'

/** Where what was made of a print lies (prints/retention). */
const filmOf = (printId: number, rest: string): MediaRef => ({
  container: 'tsd-timelapses',
  path: `private/${printId}${rest}`,
})

/** A file of a print; what its owner has deleted stays there. */
function film(row: ForeignRow, world: World, [column, rest]: readonly [string, string]): MediaRef | null {
  if (moment(row, 'deleted') !== null) return null
  const id = Number(row['id'])
  const before = world.files.length
  const ref = world.file(mediaOf(words(row, column)), filmOf(id, rest))
  const bytes = world.files.slice(before).reduce((sum, file) => sum + file.bytes, 0)
  world.filmBytes.set(id, (world.filmBytes.get(id) ?? 0) + bytes)
  return ref
}

/** A film that somebody sent is over when it has come. */
const endOf = (row: ForeignRow) =>
  moment(row, 'cancelled_at') ?? moment(row, 'finished_at') ?? moment(row, 'uploaded_at')

/** G-code with its folders, prints, what was made and asked of them. */
export const PRINTS: readonly Mapping[] = [
  {
    from: 'app_gcodefolder',
    to: 'g_code_folders',
    row(row, world) {
      const userId = Number(row['user_id'])
      if (!world.brandOf.has(userId)) return new Left('have no account here')
      return {
        id: Number(row['id']),
        user_id: userId,
        name: words(row, 'name') ?? '',
        safe_name: words(row, 'safe_name') ?? '',
        created_at: moment(row, 'created_at') ?? world.now,
        updated_at: moment(row, 'updated_at') ?? world.now,
      }
    },
  },
  { from: 'app_gcodefile', to: 'g_code_files', row: gcodeFile },
  { from: 'app_print', to: 'prints', row: print },
  {
    from: 'app_print',
    to: 'timelapses',
    row(row, world) {
      const [id, endedAt] = [Number(row['id']), endOf(row)]
      if (!world.has('prints', id)) return new Left('did not come')
      if (endedAt === null) return new Left('have not ended: they have no film yet')
      const bytes = world.filmBytes.get(id) ?? 0
      const isArchived = moment(row, 'video_archived_at') !== null
      const state =
        moment(row, 'deleted') !== null ? 'deleted' : isArchived ? 'archived' : bytes > 0 ? 'ready' : 'empty'
      return {
        print_id: id,
        ended_at: endedAt,
        state,
        file_bytes: bytes,
        progress: 1,
        frames_gone_at: world.now,
      }
    },
  },
  {
    from: 'app_printheatertarget',
    to: 'print_heater_targets',
    row: (row, world) =>
      world.has('prints', Number(row['print_id']))
        ? {
            print_id: Number(row['print_id']),
            name: words(row, 'name') ?? '',
            target: number(row, 'target') ?? 0,
            heater_offset: number(row, 'offset') ?? 0,
          }
        : new Left('are of a print that did not come'),
  },
  {
    from: 'app_printshotfeedback',
    to: 'print_shot_feedbacks',
    row(row, world) {
      const printId = number(row, 'print_id')
      if (!world.has('prints', printId)) return new Left('are of no print')
      const there = mediaOf(words(row, 'image_url'))
      const image = world.file(there)
      if (there === null || image === null) return new Left('have no picture any more')
      const answer = words(row, 'answer')
      return {
        id: Number(row['id']),
        print_id: printId,
        image,
        taken_at: timeOfPicture(there.path) ?? moment(row, 'created_at') ?? world.now,
        answer: answer === 'LOOKS_BAD' || answer === 'LOOKS_OK' || answer === 'UNDECIDED' ? answer : null,
        answered_at: moment(row, 'answered_at'),
        created_at: moment(row, 'created_at') ?? world.now,
      }
    },
  },
]

function gcodeFile(row: ForeignRow, world: World) {
  const [id, userId, resident] = [
    Number(row['id']),
    Number(row['user_id']),
    number(row, 'resident_printer_id'),
  ]
  if (!world.brandOf.has(userId)) return new Left('have no account here')
  if (resident !== null && !world.owners.has(resident)) return new Left('are on a printer that did not come')
  const isStored = resident === null && words(row, 'url') !== null
  const deletedAt = moment(row, 'deleted')
  const content: MediaRef = { container: 'tsd-gcodes', path: `${userId}/${id}` }
  const stored = isStored && deletedAt === null ? world.file(content) : null
  const thumbnails =
    stored === null
      ? []
      : [1, 2, 3].flatMap((n) => world.file(mediaOf(words(row, `thumbnail${n}_url`))) ?? [])
  return {
    id,
    user_id: userId,
    resident_printer_id: resident,
    filename: words(row, 'filename') ?? '',
    safe_filename: words(row, 'safe_filename') ?? '',
    content: stored,
    sha256: (stored && world.hashes.get(stored.path)) ?? null,
    thumbnails,
    num_bytes: number(row, 'num_bytes'),
    agent_signature: words(row, 'agent_signature'),
    metadata_json: words(row, 'metadata_json'),
    filament_total: number(row, 'filament_total'),
    estimated_time: number(row, 'estimated_time'),
    // What is not there any more cannot be printed: it stays as the name that prints have.
    deleted_at: deletedAt ?? (isStored && stored === null ? world.now : null),
    deleted_by_cascade: flag(row, 'deleted_by_cascade'),
    created_at: moment(row, 'created_at') ?? world.now,
    updated_at: moment(row, 'updated_at') ?? world.now,
  }
}

function print(row: ForeignRow, world: World) {
  const [id, userId, printerId] = [Number(row['id']), Number(row['user_id']), number(row, 'printer_id')]
  if (!world.brandOf.has(userId)) return new Left('have no account here')
  if (printerId !== null && !world.owners.has(printerId))
    return new Left('are of a printer that did not come')
  const overwrite = words(row, 'alert_overwrite')
  return {
    id,
    user_id: userId,
    printer_id: printerId,
    g_code_file_id: world.has('g_code_files', number(row, 'g_code_file_id'))
      ? number(row, 'g_code_file_id')
      : null,
    ext_id: number(row, 'ext_id'),
    filename: words(row, 'filename') ?? '',
    started_at: moment(row, 'started_at'),
    finished_at: moment(row, 'finished_at'),
    cancelled_at: moment(row, 'cancelled_at'),
    uploaded_at: moment(row, 'uploaded_at'),
    alerted_at: moment(row, 'alerted_at'),
    alert_acknowledged_at: moment(row, 'alert_acknowledged_at'),
    alert_muted_at: moment(row, 'alert_muted_at'),
    paused_at: moment(row, 'paused_at'),
    alert_overwrite: overwrite === 'FAILED' || overwrite === 'NOT_FAILED' ? overwrite : null,
    filament_used: number(row, 'filament_used'),
    print_time: number(row, 'print_time'),
    access_consented_at: moment(row, 'access_consented_at'),
    video_archived_at: moment(row, 'video_archived_at'),
    video: film(row, world, ['video_url', '.mp4']),
    tagged_video: film(row, world, ['tagged_video_url', '_tagged.mp4']),
    poster: film(row, world, ['poster_url', '_poster.jpg']),
    prediction_json: film(row, world, ['prediction_json_url', '_p.json']),
    deleted_at: moment(row, 'deleted'),
    created_at: moment(row, 'created_at') ?? world.now,
    updated_at: moment(row, 'updated_at') ?? world.now,
  }
}
