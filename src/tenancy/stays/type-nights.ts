/** Of a block `b`; one that ended before it began has no night. */
export const takesNights = `b.kind in ('out_of_order', 'owner_use') and b.until_date is distinct from b.from_date`;

const nightsOf = 'range_agg(daterange(from_date, until_date))';

/**
 * How many stays and how many unsold units types have: a unit is unsold on nights of its blocks that no stay has. In
 * stretches of nights on which both stay the same, so that it takes as long as there are stays and blocks, however many
 * nights these last. Of `spans` (type_id, first), `stays` (type_id, unit_id, from_date, until_date) and `blocks` of units
 * (the same).
 */
export const stretches = `
  unsold as (
    select type_id, unnest(blocked.nights - coalesce(lived_in.nights, '{}')) as nights
      from (select type_id, unit_id, ${nightsOf} as nights from blocks group by type_id, unit_id) blocked
      left join (select unit_id, ${nightsOf} as nights from stays where unit_id is not null group by unit_id) lived_in
        using (unit_id)),
  turns as (
    select type_id, first as date, 0 as stays, 0 as units from spans
    union all select type_id, from_date, 1, 0 from stays
    union all select type_id, until_date, -1, 0 from stays
    union all select type_id, lower(nights), 0, 1 from unsold
    union all select type_id, upper(nights), 0, -1 from unsold),
  stretches as (
    select type_id, daterange(date, lead(date, 1, 'infinity') over type) as nights,
           (sum(sum(stays)) over type)::integer as taken, (sum(sum(units)) over type)::integer as unsold
      from turns group by type_id, date window type as (partition by type_id order by date))`;
