-- Trigger of `job`, when its status becomes one that a callback URL gets: writes the delivery, and
-- the notice for its account's people, in the transaction of that change. Sending is the workers'
-- business, later. Of a run that a program started there is no notice that it completed.
CREATE OR REPLACE FUNCTION agent_write_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_delivery (job_id, run_id, owner_id, url, host, event, awaiting, spent)
    SELECT NEW.id, NEW.run_id, NEW.owner_id, t.callback_url, split_part(t.callback_url, '/', 3), NEW.status, NEW.awaiting,
      coalesce((SELECT l.spent FROM spend_limit l WHERE l.id = NEW.id), 0)
    FROM turn t WHERE t.run_id = NEW.run_id AND t.callback_url IS NOT NULL;
  INSERT INTO notice (owner_id, kind, data)
    SELECT NEW.owner_id, CASE NEW.status WHEN 'awaiting_input' THEN 'run_waiting' ELSE 'run_' || NEW.status END,
      jsonb_build_object('jobId', NEW.id, 'name', left(NEW.title, 200))
    FROM turn t WHERE t.run_id = NEW.run_id AND (NEW.status <> 'completed' OR t.origin <> 'api');
  RETURN NULL;
END $$;
