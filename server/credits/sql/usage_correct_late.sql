-- Adds new receipts of a time that is summed already, because the database's clock was set back (a
-- replica took over), to the sums, under the lock that makes `usage_sum_up` wait.
CREATE OR REPLACE FUNCTION usage_correct_late() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE summed timestamptz;
BEGIN
  IF (SELECT min(r.at) FROM added r) < (SELECT s.until FROM usage_summed s) THEN
    SELECT s.until INTO summed FROM usage_summed s FOR SHARE;
    PERFORM usage_add(c, 1) FROM receipt c WHERE c.id IN (SELECT r.id FROM added r WHERE r.at < summed);
  END IF;
  RETURN NULL;
END $$;
