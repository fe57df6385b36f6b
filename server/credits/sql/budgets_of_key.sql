-- A budget may be of the keys with a tag, or that a member made: where these change, processes find
-- its keys again.
CREATE OR REPLACE FUNCTION budgets_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE account a SET budgets_version = a.budgets_version + 1 WHERE a.owner_id = NEW.owner_id AND a.budgets_version > 0;
  RETURN NULL;
END $$;
