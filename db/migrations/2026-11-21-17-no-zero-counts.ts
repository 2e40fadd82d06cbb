import { type Kysely, sql } from 'kysely'

/** A count goes with its last reaction from now on; those that stayed go here. */
export async function up(db: Kysely<unknown>) {
  await sql`delete from reaction_counts where count <= 0`.execute(db)
}
