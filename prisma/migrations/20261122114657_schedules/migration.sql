-- CreateTable
CREATE TABLE "schedule" (
    "id" UUID NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "key_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "cron" TEXT NOT NULL,
    "time_zone" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "next_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "paused_by" TEXT,
    "paused_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "schedule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "schedule_run" (
    "schedule_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "is_manual" BOOLEAN NOT NULL DEFAULT false,
    "state" TEXT NOT NULL,
    "job_id" UUID,
    "run_id" UUID,
    "reason" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "schedule_run_pkey" PRIMARY KEY ("schedule_id","due_at")
);

-- CreateIndex
CREATE INDEX "schedule_owner_id_created_at_id_idx" ON "schedule"("owner_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "schedule_next_at_idx" ON "schedule"("next_at");

-- CreateIndex
CREATE INDEX "schedule_run_state_idx" ON "schedule_run"("state");

-- CreateIndex
CREATE INDEX "schedule_run_created_at_idx" ON "schedule_run"("created_at");

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule_run" ADD CONSTRAINT "schedule_run_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "schedule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Records a run that a person starts now.
-- Outcomes: starting | live (a run is in progress) | missing (this owner has no such schedule).
CREATE OR REPLACE FUNCTION schedule_begin_manual_run(p_schedule uuid, p_owner int, p_due timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM schedule s WHERE s.id = p_schedule AND s.owner_id = p_owner FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'missing'; END IF;
  PERFORM 1 FROM schedule_run r WHERE r.schedule_id = p_schedule
    AND (r.state IN ('starting', 'running') OR r.due_at = p_due);
  IF FOUND THEN RETURN 'live'; END IF;
  INSERT INTO schedule_run (schedule_id, due_at, is_manual, state, attempts, attempt_at)
    VALUES (p_schedule, p_due, true, 'starting', 1, clock_timestamp());
  RETURN 'starting';
END $$;

-- Records that a schedule is due at `p_due`, and moves it to `p_next`: once, however many processes
-- see it. Outcomes: starting | skipped (an earlier run is in progress)
--                 | changed (it is not due then any more)
CREATE OR REPLACE FUNCTION schedule_begin_run(p_schedule uuid, p_due timestamptz, p_next timestamptz, p_skipped text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE live boolean;
BEGIN
  PERFORM 1 FROM schedule s WHERE s.id = p_schedule AND s.next_at = p_due FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'changed'; END IF;
  UPDATE schedule SET next_at = p_next WHERE id = p_schedule;
  SELECT EXISTS (SELECT 1 FROM schedule_run r WHERE r.schedule_id = p_schedule AND r.state IN ('starting', 'running')) INTO live;
  INSERT INTO schedule_run (schedule_id, due_at, state, reason)
    VALUES (p_schedule, p_due, CASE WHEN live THEN 'skipped' ELSE 'starting' END, CASE WHEN live THEN p_skipped END)
    ON CONFLICT DO NOTHING;
  RETURN CASE WHEN live THEN 'skipped' ELSE 'starting' END;
END $$;

-- Writes how a run of a schedule ended, once, and counts failures in a row: the schedule is paused
-- at `p_max_failures` of them, or at once where its key is why. A cancelled run counts as neither.
-- False where the run had ended before, or its schedule was deleted.
CREATE OR REPLACE FUNCTION schedule_end_run(p_schedule uuid, p_due timestamptz, p_state text, p_reason text,
  p_max_failures int, p_is_key boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE s schedule; is_manual boolean; failed boolean := p_state IN ('failed', 'refused'); paused text;
BEGIN
  SELECT * INTO s FROM schedule WHERE id = p_schedule FOR NO KEY UPDATE;
  UPDATE schedule_run r SET state = p_state, reason = p_reason
    WHERE r.schedule_id = p_schedule AND r.due_at = p_due AND r.state IN ('starting', 'running')
    RETURNING r.is_manual INTO is_manual;
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_state = 'cancelled' OR (is_manual AND failed) THEN RETURN true; END IF;
  paused := CASE WHEN s.paused_by IS NOT NULL OR NOT failed THEN NULL WHEN p_is_key THEN 'key'
    WHEN s.failures + 1 >= p_max_failures THEN 'failures' END;
  UPDATE schedule SET failures = CASE WHEN failed THEN s.failures + 1 ELSE 0 END,
    paused_by = coalesce(paused, paused_by), paused_reason = CASE WHEN paused IS NULL THEN paused_reason ELSE p_reason END,
    next_at = CASE WHEN paused IS NULL THEN next_at END,
    updated_at = CASE WHEN paused IS NULL THEN updated_at ELSE clock_timestamp() END
    WHERE id = p_schedule;
  RETURN true;
END $$;
