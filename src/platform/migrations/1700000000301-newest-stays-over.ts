import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The newest stays over a night, without reading all of that night. Time is cut into spans, for each number of nights from
 * 1 to 8 into spans of as many, and of 16, 64 and 256 for longer stays; the index has the stays of each span by id. A stay
 * over a night begins in the span of the night or in the one before, so at 23 places at most.
 */
export class NewestStaysOver1700000000301 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index reservations_by_span on reservations (org_id, (${spanOf('check_in_date', 'check_out_date')}), id)
        include (check_in_date, check_out_date, property_id) where check_in_date < check_out_date;
      -- Those with ids before one, as many as given; all of the night where \`most\` is null. As guests_called, which says why it is needed.
      create function stays_over(night date, properties uuid[], before uuid, most integer) returns uuid[]
        language sql stable security definer
        set search_path = pg_catalog, public
        set enable_seqscan = off
      as $$
        select case when most is null then stays_over(night, properties) else array(
          select found.id
            from (values ${[...exact, ...lengths].map((nights) => `(${nights})`).join()}) spans (nights)
           cross join (values (0), (1)) earlier (spans)
           cross join lateral (
             select id from reservations
              where org_id = nullif(current_setting('app.org_id', true), '')::uuid
                and ${spanOf('check_in_date', 'check_out_date')} = ${placeOf('night', 'spans.nights')} - earlier.spans
                and check_in_date <= night and check_out_date > night and check_in_date < check_out_date
                and (properties is null or property_id = any(properties))
                and id < coalesce(before, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
              order by id desc limit most) found
           -- In the last night of a span, none that began in the one before remains.
           where earlier.spans = 0 or (night - ${firstDay}) % spans.nights < spans.nights - 1
           order by found.id desc limit most) end
      $$;
      revoke execute on function stays_over(date, uuid[], uuid, integer) from public;
      grant execute on function stays_over(date, uuid[], uuid, integer) to app_user;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function stays_over(date, uuid[], uuid, integer);
      drop index reservations_by_span;
    `);
  }
}

const exact = [1, 2, 3, 4, 5, 6, 7, 8];
/** The last one is of more nights than any stay has. */
const lengths = [16, 64, 256, 65_536];
const firstDay = `date '2000-01-01'`;

/** The span of a day, as a number that no span of another length has. */
const placeOf = (day: string, nights: string): string =>
  `(${nights} * 10000000::bigint + (${day} - ${firstDay}) / ${nights})`;

const spanOf = (from: string, until: string): string => {
  const nights = `${until} - ${from}`;
  const [short, middle, long, longest] = lengths;
  return placeOf(
    from,
    `(case when ${nights} <= ${exact.length} then ${nights} when ${nights} <= ${short} then ${short}
           when ${nights} <= ${middle} then ${middle} when ${nights} <= ${long} then ${long} else ${longest} end)`,
  );
};
