-- Counts down the calls in progress when holds end. The owners' accounts are locked already.
CREATE OR REPLACE FUNCTION hold_ended() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE account a SET calls = greatest(0, a.calls - e.calls)
    FROM (SELECT d.owner_id, count(*)::int AS calls FROM ended d WHERE d.door <> 'agent' GROUP BY d.owner_id) e
    WHERE a.owner_id = e.owner_id;
  RETURN NULL;
END $$;
