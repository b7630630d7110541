import { type Kysely, sql } from 'kysely'

/** Folders of the cloud store; names are unique within one, in the root too. */
const FOLDERS = `
create table g_code_folders (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  parent_folder_id integer references g_code_folders on delete cascade,
  name text not null,
  safe_name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (user_id, parent_folder_id, safe_name)
);
create index g_code_folders_parent on g_code_folders (parent_folder_id);
`

/** Files of one owner with the same content share what is stored: \`sha256\` is of it, \`content\` says where it lies. */
const FILES = `
alter table g_code_files
  add column parent_folder_id integer references g_code_folders on delete set null,
  add column deleted_by_cascade boolean not null default false,
  add column sha256 text,
  add column thumbnails jsonb not null default '[]';
create index g_code_files_folder on g_code_files (user_id, parent_folder_id, id)
  where deleted_at is null and resident_printer_id is null;
create index g_code_files_parent on g_code_files (parent_folder_id);
create index g_code_files_content on g_code_files (user_id, sha256) where sha256 is not null;
create index g_code_files_swept on g_code_files (deleted_at) where deleted_at is not null and content is not null;
`

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql.raw(FOLDERS + FILES).execute(db)
}
