-- Says that a process lives, so that its holds stay.
CREATE OR REPLACE FUNCTION credits_renew(p_holder uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO holder (id, lease_until) VALUES (p_holder, clock_timestamp() + interval '45 seconds')
    ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until;
  PERFORM credits_tick();
END $$;
