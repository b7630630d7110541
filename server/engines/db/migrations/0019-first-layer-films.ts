import { type Kysely, sql } from 'kysely'

/** The film of a first layer; pictures that are not shown stay until it is made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table first_layer_inspections add column video jsonb`.execute(db)
  await sql`alter table first_layer_images add column shown boolean not null default true`.execute(db)
}
