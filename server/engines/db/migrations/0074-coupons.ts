import { type Kysely, sql } from 'kysely'

/** Codes that are given away, each redeemed once; until then only what it hashes to is kept (docs/rules/plans.md 4). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table coupons (
      id integer generated always as identity primary key,
      brand text not null,
      offer text,
      hours double precision,
      description text not null,
      code_hash text not null,
      code text,
      expires_at timestamptz,
      user_id integer references users on delete cascade,
      redeemed_at timestamptz,
      created_at timestamptz not null,
      unique (brand, code_hash)
    )`.execute(db)
  await sql`create index coupons_redeemed on coupons (user_id, redeemed_at) where user_id is not null`.execute(
    db,
  )
}
