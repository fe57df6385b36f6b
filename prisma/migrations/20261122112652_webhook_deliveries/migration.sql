-- AlterTable
ALTER TABLE "turn" ADD COLUMN     "callback_url" TEXT;

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "job_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "awaiting" JSONB,
    "spent" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimed_until" TIMESTAMPTZ(3),
    "answer_status" INTEGER,
    "answer_body" TEXT,
    "error" TEXT,
    "attempted_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_secret" (
    "owner_id" INTEGER NOT NULL,
    "salt" UUID NOT NULL,
    "previous_salt" UUID,
    "previous_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_secret_pkey" PRIMARY KEY ("owner_id")
);

-- CreateIndex
CREATE INDEX "webhook_delivery_job_id_created_at_id_idx" ON "webhook_delivery"("job_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_created_at_idx" ON "webhook_delivery"("created_at");

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "job"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_secret" ADD CONSTRAINT "webhook_secret_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Starts a run: of a new conversation, or of one that is idle. `p_turn` is the turn's row, with
-- `title`.
-- Outcomes: started | missing (this owner has no such conversation)
--           | live (a run of it is in progress)
--           | spent (by `credits`, under its spend limit)
--           | short (only `credits` are available, by the limit `limit_source`)
-- Raises unique_violation when the owner has used the idempotency key.
CREATE OR REPLACE FUNCTION agent_start(p_turn jsonb, p_is_new boolean, p_least bigint, p_send text, p_message text)
RETURNS TABLE (outcome text, credits bigint, limit_source text) LANGUAGE plpgsql AS $$
DECLARE t record; j job; place int := 1; balance bigint; budget bigint;
BEGIN
  SELECT * INTO t FROM jsonb_to_record(p_turn) AS x (run_id uuid, job_id uuid, owner_id int, key_id int, title text,
    idempotency_key text, goal text, mode text, model text, agent text, capabilities text[], cap_credits bigint,
    history_turn_limit int, callback_url text);
  IF NOT p_is_new THEN
    SELECT * INTO j FROM job WHERE job.id = t.job_id AND job.owner_id = t.owner_id FOR NO KEY UPDATE;
    outcome := CASE WHEN j.id IS NULL THEN 'missing' WHEN j.status IN ('running', 'awaiting_input') THEN 'live' END;
    IF outcome IS NOT NULL THEN RETURN NEXT; RETURN; END IF;
    SELECT l.spent INTO credits FROM spend_limit l WHERE l.id = t.job_id;
    IF j.reached_by IS NOT NULL OR credits >= t.cap_credits THEN outcome := 'spent'; RETURN NEXT; RETURN; END IF;
    SELECT max(w.number) + 1 INTO place FROM turn w WHERE w.job_id = t.job_id;
  END IF;

  SELECT a.available INTO balance FROM account a WHERE a.owner_id = t.owner_id;
  SELECT k.budget - k.spent - k.held INTO budget FROM "key" k WHERE k.id = t.key_id AND k.owner_id = t.owner_id;
  credits := least(coalesce(balance, 0), budget);
  limit_source := CASE WHEN budget < coalesce(balance, 0) THEN 'key_budget' ELSE 'balance' END;
  IF credits < p_least THEN outcome := 'short'; RETURN NEXT; RETURN; END IF;

  INSERT INTO job (id, owner_id, title, status, run_id)
    SELECT t.job_id, t.owner_id, t.title, 'running', t.run_id WHERE p_is_new;
  INSERT INTO turn (run_id, job_id, owner_id, number, key_id, idempotency_key, goal, mode, model, agent, capabilities,
      cap_credits, history_turn_limit, callback_url, status)
    VALUES (t.run_id, t.job_id, t.owner_id, place, t.key_id, t.idempotency_key, t.goal, t.mode, t.model, t.agent,
      t.capabilities, t.cap_credits, t.history_turn_limit, t.callback_url, 'running');
  UPDATE job SET status = 'running', run_id = t.run_id, result = NULL, awaiting = NULL, tries = 0, stalls = 0,
    updated_at = clock_timestamp() WHERE job.id = t.job_id AND NOT p_is_new;
  -- A spend limit never goes below what is spent or held already.
  INSERT INTO spend_limit (id, owner_id, cap) VALUES (t.job_id, t.owner_id, t.cap_credits)
    ON CONFLICT (id) DO UPDATE SET cap = greatest(excluded.cap, spend_limit.spent + spend_limit.held);
  EXECUTE p_send USING p_message;
  outcome := 'started';
  RETURN NEXT;
END $$;

-- Trigger of `job`, when its status becomes one that a callback URL is told of: writes the delivery
-- in the transaction of that change. Sending it is the workers' business, later.
CREATE OR REPLACE FUNCTION agent_write_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_delivery (job_id, run_id, owner_id, url, host, event, awaiting, spent)
    SELECT NEW.id, NEW.run_id, NEW.owner_id, t.callback_url, split_part(t.callback_url, '/', 3), NEW.status, NEW.awaiting,
      coalesce((SELECT l.spent FROM spend_limit l WHERE l.id = NEW.id), 0)
    FROM turn t WHERE t.run_id = NEW.run_id AND t.callback_url IS NOT NULL;
  RETURN NULL;
END $$;

-- By hand: schema.prisma does not say this.
CREATE INDEX webhook_delivery_pending ON webhook_delivery (owner_id, due_at) WHERE status = 'pending';

CREATE TRIGGER job_told AFTER UPDATE OF status ON job FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status AND NEW.status IN ('completed', 'failed', 'awaiting_input'))
  EXECUTE FUNCTION agent_write_delivery();
