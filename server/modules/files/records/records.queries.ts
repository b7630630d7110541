import type { Insertable, Selectable, Updateable } from 'kysely'
import { type FileId, type PrinterId, sought, type UserId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'
import type { GCodeCopies, GCodeFiles } from '../../../engines/db/types.gen.ts'

export type FileRow = Selectable<GCodeFiles>

/** Files that an agent may name: its owner's that live in the cloud or on this printer (docs/wire/agents.md 3.4). */
const reachable = (db: Db, { userId, printerId }: { userId: UserId; printerId: PrinterId }) =>
  db
    .selectFrom('gCodeFiles')
    .selectAll()
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .where((eb) => eb.or([eb('residentPrinterId', 'is', null), eb('residentPrinterId', '=', printerId)]))

type Caller = { userId: UserId; printerId: PrinterId }

export async function findBySignature(
  db: Db,
  caller: Caller,
  signature: string | null,
  safeFilename: string,
) {
  const row = await reachable(db, caller)
    .where('agentSignature', signature === null ? 'is' : '=', signature)
    .where('safeFilename', '=', safeFilename)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** The file of the cloud that this printer has stored under this name and signature; null where none is known. */
export async function findCopied(
  db: Db,
  { userId, printerId }: Caller,
  signature: string | null,
  safeFilename: string,
): Promise<FileRow | null> {
  if (signature === null) return null
  const row = await db
    .selectFrom('gCodeCopies')
    .innerJoin('gCodeFiles', 'gCodeFiles.id', 'gCodeCopies.gCodeFileId')
    .selectAll('gCodeFiles')
    .where('gCodeCopies.printerId', '=', printerId)
    .where('gCodeCopies.agentSignature', '=', signature)
    .where('gCodeCopies.safeFilename', '=', safeFilename)
    .where('gCodeFiles.userId', '=', userId)
    .where('gCodeFiles.deletedAt', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Keeps how a printer knows a file of the cloud that it has stored. */
export async function keepCopy(db: Db, copy: Insertable<GCodeCopies> & { updatedAt: Date }): Promise<void> {
  const { printerId: _, agentSignature: __, safeFilename: ___, ...values } = copy
  await db
    .insertInto('gCodeCopies')
    .values(copy)
    .onConflict((conflict) =>
      conflict.columns(['printerId', 'agentSignature', 'safeFilename']).doUpdateSet(values),
    )
    .execute()
}

export async function findReachableFile(db: Db, caller: Caller, fileId: number): Promise<FileRow | null> {
  return (
    (await reachable(db, caller).where('id', '=', sought<'gCodeFiles'>(fileId)).executeTakeFirst()) ?? null
  )
}

export async function listOwnFiles(db: Db, userId: UserId, limit: number): Promise<FileRow[]> {
  return await db
    .selectFrom('gCodeFiles')
    .selectAll()
    .where('userId', '=', userId)
    .where('deletedAt', 'is', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function insertFile(db: Db, file: Insertable<GCodeFiles>): Promise<FileRow> {
  return await db.insertInto('gCodeFiles').values(file).returningAll().executeTakeFirstOrThrow()
}

export async function updateFile(db: Db, fileId: FileId, values: Updateable<GCodeFiles>): Promise<FileRow> {
  return await db
    .updateTable('gCodeFiles')
    .set({ ...values, updatedAt: new Date() })
    .where('id', '=', fileId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** One agent at a time: the same file posted twice at once is one row. */
export async function lockPrinterRow(db: Db, printerId: PrinterId): Promise<void> {
  await db.selectFrom('printers').select('id').where('id', '=', printerId).forUpdate().execute()
}
