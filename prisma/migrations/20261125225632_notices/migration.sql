-- AlterTable
ALTER TABLE "account" ADD COLUMN     "topped_up" BIGINT,
ADD COLUMN     "topped_up_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "notice" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "owner_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "announced_at" TIMESTAMPTZ(3),

    CONSTRAINT "notice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notice_mail" (
    "notice_id" UUID NOT NULL,
    "person_id" INTEGER NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "notice_mail_pkey" PRIMARY KEY ("notice_id","person_id")
);

-- CreateTable
CREATE TABLE "notice_reader" (
    "owner_id" INTEGER NOT NULL,
    "person_id" INTEGER NOT NULL,
    "read_until" TIMESTAMPTZ(3),
    "mail" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "notice_reader_pkey" PRIMARY KEY ("owner_id","person_id")
);

-- CreateTable
CREATE TABLE "notice_settings" (
    "owner_id" INTEGER NOT NULL,
    "alert_at" INTEGER[] DEFAULT ARRAY[50, 80, 100]::INTEGER[],
    "callback_url" TEXT,
    "kinds" TEXT[],

    CONSTRAINT "notice_settings_pkey" PRIMARY KEY ("owner_id")
);

-- CreateIndex
CREATE INDEX "notice_owner_id_created_at_id_idx" ON "notice"("owner_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "notice_created_at_idx" ON "notice"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "notice_owner_id_subject_key" ON "notice"("owner_id", "subject");

-- CreateIndex
CREATE INDEX "notice_mail_due_at_idx" ON "notice_mail"("due_at");

-- AddForeignKey
ALTER TABLE "notice" ADD CONSTRAINT "notice_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notice_mail" ADD CONSTRAINT "notice_mail_notice_id_fkey" FOREIGN KEY ("notice_id") REFERENCES "notice"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notice_reader" ADD CONSTRAINT "notice_reader_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notice_settings" ADD CONSTRAINT "notice_settings_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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

-- Adds credits (or, negative, takes back what is still available). Returns the new available
-- balance, or NULL when a correction exceeds it. What there was after credits were added is what
-- notices count percentages of.
CREATE OR REPLACE FUNCTION credits_grant(p_owner int, p_amount bigint, p_note text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE balance bigint;
BEGIN
  INSERT INTO account (owner_id, available, held) VALUES (p_owner, 0, 0) ON CONFLICT (owner_id) DO NOTHING;
  UPDATE account SET available = available + p_amount,
      topped_up = CASE WHEN p_amount > 0 THEN available + held + p_amount ELSE topped_up END,
      topped_up_at = CASE WHEN p_amount > 0 THEN clock_timestamp() ELSE topped_up_at END
    WHERE owner_id = p_owner AND available + p_amount >= 0
    RETURNING available INTO balance;
  IF balance IS NOT NULL THEN
    PERFORM ledger_write(p_owner, p_amount, NULL, NULL, p_note);
  END IF;
  RETURN balance;
END $$;

CREATE INDEX notice_unannounced ON notice (created_at) WHERE announced_at IS NULL;
