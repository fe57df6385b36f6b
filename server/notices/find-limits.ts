import { isoTimeSql, statement } from '../kit/statement'

/**
 * Every limit with what was spent in its present window, of accounts that are open: the balance
 * since credits were last added, the day, keys and budgets.
 */
const LIMITS = `SELECT l.* FROM (
    SELECT a.owner_id, 'balance' AS source, 'balance' AS id, 'Balance' AS name, 'lifetime' AS every, a.topped_up AS cap,
      a.topped_up - a.available - a.held AS spent, a.topped_up_at AS begins, NULL::timestamptz AS ends, NULL::int[] AS alert_at, NULL::int AS key_id
    FROM account a WHERE a.topped_up IS NOT NULL
    UNION ALL SELECT a.owner_id, 'account_day', 'day', 'Today', 'day', a.day_credits, a.day_spent, a.day_start, a.day_start + interval '24 hours', NULL, NULL
    FROM account a WHERE a.day_credits IS NOT NULL AND a.day_start = date_trunc('day', clock_timestamp(), 'UTC')
    UNION ALL SELECT k.owner_id, 'key_budget', 'key:' || k.id, k.name, 'lifetime', k.budget, k.spent, NULL, NULL, NULL, k.id
    FROM "key" k WHERE k.budget IS NOT NULL AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
    UNION ALL SELECT k.owner_id, 'key_period', 'key:' || k.id || ':' || k.period, k.name, k.period, k.period_budget, k.period_spent, k.period_start,
      k.period_end, NULL, k.id
    FROM "key" k WHERE k.period_end > now() AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
    UNION ALL SELECT s.owner_id, 'budget', s.id::text, b.name || coalesce(', ' || c.name, ''), coalesce(s.period, 'lifetime'), s.cap, s.spent, s.starts_at,
      s.ends_at, b.alert_at, NULL
    FROM spend_limit s JOIN budget b ON b.id = s.budget_id AND b.deleted_at IS NULL LEFT JOIN customer c ON c.id = s.customer_id
    WHERE s.ends_at IS NULL OR s.ends_at > now()) l
  JOIN owner o ON o.id = l.owner_id AND o.deleted_at IS NULL WHERE l.cap > 0`

const SHOWN = `jsonb_build_object('id', l.id, 'source', l.source, 'name', l.name, 'window', l.every, 'cap', l.cap, 'spent', l.spent, 'resetsAt', ${isoTimeSql('l.ends')})`

/** What makes a notice of a limit come once in a window, and again when the limit is another. */
const WINDOW = `l.id || ':' || coalesce(extract(epoch FROM l.begins)::bigint::text, '') || ':' || l.cap`

/** Writes a notice for the highest percentage that each limit has reached, once. */
export const FIND_REACHED = statement({
  name: 'notices_limits_reached',
  sql: `INSERT INTO notice (owner_id, kind, subject, data)
    SELECT l.owner_id, 'limit', 'limit:' || ${WINDOW} || ':' || p.percent, jsonb_build_object('percent', p.percent, 'limit', ${SHOWN})
    FROM (${LIMITS}) l LEFT JOIN notice_settings n ON n.owner_id = l.owner_id
    CROSS JOIN LATERAL (SELECT max(x) AS percent FROM unnest(coalesce(nullif(l.alert_at, '{}'), n.alert_at, '{50,80,100}')) x
      WHERE l.spent * 100 >= l.cap * x) p
    WHERE p.percent IS NOT NULL
    ON CONFLICT (owner_id, subject) DO NOTHING`,
  params: [],
})

/**
 * Writes a notice for each limit that has refused a call in the last minutes, once, with what the
 * first such call was answered: the limit may have been changed since. Calls that only waited for
 * others in progress are none.
 */
export const FIND_REFUSING = statement({
  name: 'notices_limits_refusing',
  sql: `INSERT INTO notice (owner_id, kind, subject, data)
    SELECT l.owner_id, 'limit_refused', 'refused:' || ${WINDOW}, jsonb_build_object('message', r.message, 'limit', ${SHOWN})
    FROM (SELECT DISTINCT ON (r.owner_id, r.key_id, r.limit_source, r.limit_name) r.* FROM refusal r
      WHERE r.at > now() - interval '10 minutes' AND r.limit_source IS NOT NULL AND r.code = 'insufficient_credits'
        AND r.reason <> 'credits_reserved'
      ORDER BY r.owner_id, r.key_id, r.limit_source, r.limit_name, r.at) r
    JOIN (${LIMITS}) l ON l.owner_id = r.owner_id AND l.source = r.limit_source AND (l.key_id IS NULL OR l.key_id = r.key_id)
      AND (l.source <> 'budget' OR l.name = r.limit_name)
    ON CONFLICT (owner_id, subject) DO NOTHING`,
  params: [],
})
