import { type Kysely, sql } from 'kysely'

/** Who somebody is at a provider that signs people in (docs/rules/people.md 11). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table identities (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  brand text not null,
  provider text not null,
  issuer text not null,
  subject text not null,
  email text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  unique (brand, issuer, subject)
);
create index identities_user on identities (user_id);
`,
    )
    .execute(db)
}
