-- Counts down the calls in progress when holds end in a call of the previous release that was
-- running during its migration: credits_batch does it itself, and says so to its transaction. To be
-- dropped in the next release.
CREATE OR REPLACE FUNCTION hold_ended() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  UPDATE account a SET calls = greatest(0, a.calls - e.calls)
    FROM (SELECT d.owner_id, count(*)::int AS calls FROM ended d WHERE d.door <> 'agent' GROUP BY d.owner_id) e
    WHERE a.owner_id = e.owner_id;
  RETURN NULL;
END $$;
