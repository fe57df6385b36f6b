/**
 * SQL of the credits that an owner has spent this month (UTC): the sums of its keys, and the
 * receipts that are not summed yet. `owner` is SQL of its id.
 */
export const spentThisMonthSql = (owner: string): string => `(
    SELECT (SELECT coalesce(sum(u.charged), 0) FROM usage_key_month u WHERE u.owner_id = ${owner} AND u.month = m.first::date)
      + (SELECT coalesce(sum(r.charged), 0) FROM receipt r
          WHERE r.owner_id = ${owner} AND r.at >= greatest(m.first AT TIME ZONE 'UTC', (SELECT s.until FROM usage_summed s)))
    FROM (SELECT date_trunc('month', now() AT TIME ZONE 'UTC')) m (first))::bigint`
