import { type Kysely, sql } from 'kysely'

/** The slicer's assistant: chats as they are kept, questions to a model by month, what people write to support (docs/rules/assistant.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chats (
      id integer generated always as identity primary key,
      user_id integer not null references users on delete cascade,
      g_code_file_id integer references g_code_files on delete set null,
      messages text not null,
      machine_name text,
      filament_name text,
      print_process_name text,
      slicing_settings_json text,
      user_feedback text check (user_feedback in ('positive', 'negative')),
      user_feedback_text text,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`create index chats_user on chats (user_id, id desc)`.execute(db)
  await sql`create index chats_file on chats (g_code_file_id) where g_code_file_id is not null`.execute(db)
  await sql`
    create table ai_credits (
      user_id integer primary key references users on delete cascade,
      month date not null,
      used integer not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)
  await sql`
    create table support_requests (
      id integer generated always as identity primary key,
      user_id integer references users on delete cascade,
      email text,
      brand text not null,
      message text not null,
      chat text,
      created_at timestamptz not null,
      sent_at timestamptz
    )`.execute(db)
  await sql`create index support_requests_user on support_requests (user_id) where user_id is not null`.execute(
    db,
  )
}
