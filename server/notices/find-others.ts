import { isoTimeSql, statement } from '../kit/statement'

/** Hours with spending that make a median, and the days that they are from. */
const MEDIAN_HOURS = 12
const MEDIAN_DAYS = 14
/** How many times the median an hour is unusual, and from how many credits on. */
const UNUSUAL_TIMES = 5
const UNUSUAL_CREDITS = 100

/**
 * Writes a notice where an hour of the last three took five times what is usual for its product in
 * this account: at most one a day and product.
 */
export const FIND_UNUSUAL = statement({
  name: 'notices_unusual_spend',
  sql: `INSERT INTO notice (owner_id, kind, subject, data)
    SELECT DISTINCT ON (h.owner_id, h.product) h.owner_id, 'unusual_spend', 'unusual:' || h.product || ':' || (h.hour AT TIME ZONE 'UTC')::date,
      jsonb_build_object('product', h.product, 'hour', ${isoTimeSql('h.hour')}, 'spent', h.charged, 'usual', round(m.usual))
    FROM (SELECT a.owner_id, u.product, u.hour, sum(u.charged) AS charged FROM account a JOIN owner o ON o.id = a.owner_id AND o.deleted_at IS NULL
        JOIN LATERAL (SELECT x.product, x.hour, x.charged FROM usage_hour x
          WHERE x.owner_id = a.owner_id AND x.key_id = -1 AND x.hour > now() - interval '3 hours' OFFSET 0) u ON true
        GROUP BY 1, 2, 3 HAVING sum(u.charged) >= ${UNUSUAL_CREDITS}) h
    CROSS JOIN LATERAL (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY p.charged) AS usual, count(*) AS hours FROM (
      SELECT sum(x.charged)::float8 AS charged FROM usage_hour x
      WHERE x.owner_id = h.owner_id AND x.key_id = -1 AND x.product = h.product AND x.hour < h.hour AND x.hour > h.hour - interval '${MEDIAN_DAYS} days'
      GROUP BY x.hour HAVING sum(x.charged) > 0) p) m
    WHERE m.hours >= ${MEDIAN_HOURS} AND h.charged >= m.usual * ${UNUSUAL_TIMES}
    ORDER BY h.owner_id, h.product, h.charged DESC
    ON CONFLICT (owner_id, subject) DO NOTHING`,
  params: [],
})

/** Writes a notice for each key that expires within a week, once for each end. */
export const FIND_EXPIRING = statement({
  name: 'notices_keys_expiring',
  sql: `INSERT INTO notice (owner_id, kind, subject, data)
    SELECT k.owner_id, 'key_expiring', 'expires:' || k.id || ':' || extract(epoch FROM k.expires_at)::bigint,
      jsonb_build_object('keyId', k.id, 'name', k.name, 'at', ${isoTimeSql('k.expires_at')})
    FROM "key" k WHERE k.revoked_at IS NULL AND k.expires_at > now() AND k.expires_at < now() + interval '7 days'
      AND k.created_at < k.expires_at - interval '7 days'
    ON CONFLICT (owner_id, subject) DO NOTHING`,
  params: [],
})

/** Writes a notice for each receiver that webhooks do not reach, once a day. */
export const FIND_UNDELIVERED = statement({
  name: 'notices_webhooks_failed',
  sql: `INSERT INTO notice (owner_id, kind, subject, data)
    SELECT d.owner_id, 'webhook_failed', 'webhook:' || d.host || ':' || current_date, jsonb_build_object('host', d.host, 'jobId', min(d.job_id::text))
    FROM (SELECT x.owner_id, x.host, x.job_id FROM webhook_delivery x WHERE x.status = 'failed' AND x.attempted_at > now() - interval '1 hour'
      UNION ALL SELECT x.owner_id, x.host, NULL FROM task_delivery x WHERE x.status = 'failed' AND x.attempted_at > now() - interval '1 hour') d
    JOIN owner o ON o.id = d.owner_id AND o.deleted_at IS NULL
    GROUP BY d.owner_id, d.host
    ON CONFLICT (owner_id, subject) DO NOTHING`,
  params: [],
})

/** Writes a notice for each schedule that the service has paused, once for each pause. */
export const FIND_PAUSED = statement({
  name: 'notices_schedules_paused',
  sql: `INSERT INTO notice (owner_id, kind, subject, data)
    SELECT s.owner_id, 'schedule_paused', 'paused:' || s.id || ':' || extract(epoch FROM s.updated_at)::bigint,
      jsonb_build_object('scheduleId', s.id, 'name', left(s.name, 200), 'reason', left(s.paused_reason, 300))
    FROM schedule s WHERE s.paused_by IN ('failures', 'key') AND s.updated_at > now() - interval '1 hour'
    ON CONFLICT (owner_id, subject) DO NOTHING`,
  params: [],
})
