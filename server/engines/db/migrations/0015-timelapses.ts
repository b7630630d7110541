import { type Kysely, sql } from 'kysely'

/**
 * What becomes of a print's pictures when it is over. `due_at`: while it is made, until when whoever makes it is taken
 * for alive; else when it is tried next. `frame_bytes` and `file_bytes` are what frames and made files weigh.
 * `source`: a film that was uploaded, of a print of `source_seconds`; its frames and decisions have no printer.
 */
const TABLE = `
create table timelapses (
  print_id integer primary key references prints on delete cascade,
  state text not null default 'waiting' check (state in
    ('waiting', 'working', 'no_ffmpeg', 'ready', 'short', 'empty', 'failed', 'archived', 'deleted')),
  progress double precision not null default 0 check (progress between 0 and 1),
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  worker uuid,
  ended_at timestamptz not null,
  turn jsonb,
  frames integer not null default 0,
  pictures_per_second integer not null default 8,
  frame_bytes bigint not null default 0,
  file_bytes bigint not null default 0,
  frames_gone_at timestamptz,
  scores jsonb,
  source jsonb,
  source_seconds double precision,
  issues integer not null default 0,
  refusal text,
  kept boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index timelapses_due on timelapses (due_at) where state in ('waiting', 'working', 'no_ffmpeg');
create index timelapses_framed on timelapses (ended_at) where frames_gone_at is null;
create index timelapses_shown on timelapses (ended_at) where state = 'ready' and not kept;
alter table frames alter column printer_id drop not null;
alter table decisions alter column printer_id drop not null;
create index prints_deleted on prints (deleted_at) where deleted_at is not null;
`

/** Prints that ended before there were time-lapses, and whose pictures are still there, get theirs. */
const OPENING = `
insert into timelapses (print_id, ended_at)
select id, coalesce(cancelled_at, finished_at) from prints
where coalesce(cancelled_at, finished_at) is not null
  and exists (select 1 from frames where frames.print_id = prints.id)
`

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [TABLE, OPENING]) await sql.raw(part).execute(db)
}
