-- Corrects the sums for a receipt that was summed before it changed (a refund).
-- The share lock makes `usage_sum_up` wait, so a change is either seen by it or made here.
CREATE OR REPLACE FUNCTION usage_correct() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE summed timestamptz;
BEGIN
  SELECT s.until INTO summed FROM usage_summed s FOR SHARE;
  IF OLD.at < summed THEN PERFORM usage_add(OLD, -1); END IF;
  IF NEW.at < summed THEN PERFORM usage_add(NEW, 1); END IF;
  RETURN NULL;
END $$;
