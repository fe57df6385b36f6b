-- Trigger of `job`, when its status becomes one that a callback URL gets: writes the delivery
-- in the transaction of that change. Sending it is the workers' business, later.
CREATE OR REPLACE FUNCTION agent_write_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_delivery (job_id, run_id, owner_id, url, host, event, awaiting, spent)
    SELECT NEW.id, NEW.run_id, NEW.owner_id, t.callback_url, split_part(t.callback_url, '/', 3), NEW.status, NEW.awaiting,
      coalesce((SELECT l.spent FROM spend_limit l WHERE l.id = NEW.id), 0)
    FROM turn t WHERE t.run_id = NEW.run_id AND t.callback_url IS NOT NULL;
  RETURN NULL;
END $$;
