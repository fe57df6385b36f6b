-- Holds whose process is dead: its lease has ended, and the database has been reachable for long
-- enough since that a living process would have renewed. Leases are compared with the start of the
-- statement, so that a server frozen in the middle of one does not take everybody for dead.
CREATE OR REPLACE FUNCTION credits_dead_holds(p_max int, p_skip uuid[]) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
BEGIN
  IF credits_tick() > now() - interval '25 seconds' THEN RETURN; END IF;
  RETURN QUERY SELECT h.id FROM hold h LEFT JOIN holder p ON p.id = h.holder_id
    WHERE (p.id IS NULL OR p.lease_until < now()) AND h.id <> ALL (p_skip) ORDER BY h.id LIMIT p_max;
END $$;
