import type { AnyKysely } from '@horae/clock-store/storage';
import { sql } from 'kysely';

/** The owners of runs that are not over: few, each found by one step through the index, however many runs it has. */
export async function openOwners(db: AnyKysely): Promise<string[]> {
  const { rows } = await sql<{ owner: string }>`
    with recursive owners as (
      select min(owner) as owner from horae_ring_runs where owner is not null
      union all
      select (select min(r.owner) from horae_ring_runs r where r.owner > owners.owner) from owners
      where owners.owner is not null
    )
    select owner from owners where owner is not null`.execute(db);
  return rows.map(({ owner }) => owner);
}
