-- CreateTable
CREATE TABLE "agent_settings" (
    "owner_id" INTEGER NOT NULL,
    "default_model" TEXT,
    "disabled_tools" TEXT[],
    "database_url" BYTEA,
    "database_label" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_settings_pkey" PRIMARY KEY ("owner_id")
);

-- CreateTable
CREATE TABLE "job" (
    "id" UUID NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "run_id" UUID NOT NULL,
    "reached_by" TEXT,
    "result" TEXT,
    "awaiting" JSONB,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "fence_run_id" UUID,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "job_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "turn" (
    "run_id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "key_id" INTEGER NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "goal" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "agent" TEXT NOT NULL,
    "capabilities" TEXT[],
    "cap_credits" BIGINT NOT NULL,
    "history_turn_limit" INTEGER,
    "status" TEXT NOT NULL,
    "result" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "turn_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "step" (
    "job_id" UUID NOT NULL,
    "index" INTEGER NOT NULL,
    "run_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hold_id" UUID,
    "charged" BIGINT NOT NULL DEFAULT 0,
    "input" JSONB,
    "output" JSONB,
    "error" JSONB,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "step_pkey" PRIMARY KEY ("job_id","index")
);

-- CreateTable
CREATE TABLE "answer" (
    "job_id" UUID NOT NULL,
    "index" INTEGER NOT NULL,
    "approved" BOOLEAN NOT NULL,
    "feedback" TEXT,
    "key_id" INTEGER,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "answer_pkey" PRIMARY KEY ("job_id","index")
);

-- CreateTable
CREATE TABLE "dataset" (
    "owner_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "columns" JSONB NOT NULL,
    "row_count" INTEGER NOT NULL,
    "rows" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dataset_pkey" PRIMARY KEY ("owner_id","name")
);

-- CreateTable
CREATE TABLE "site" (
    "slug" TEXT NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "live" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "site_pkey" PRIMARY KEY ("slug")
);

-- CreateTable
CREATE TABLE "site_version" (
    "slug" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "files" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "site_version_pkey" PRIMARY KEY ("slug","version")
);

-- CreateTable
CREATE TABLE "pod" (
    "job_id" UUID NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "files" BYTEA NOT NULL,
    "cwd" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pod_pkey" PRIMARY KEY ("job_id")
);

-- CreateIndex
CREATE INDEX "job_owner_id_created_at_id_idx" ON "job"("owner_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "job_status_updated_at_idx" ON "job"("status", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "turn_owner_id_idempotency_key_key" ON "turn"("owner_id", "idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "turn_job_id_number_key" ON "turn"("job_id", "number");

-- CreateIndex
CREATE INDEX "site_owner_id_idx" ON "site"("owner_id");

-- AddForeignKey
ALTER TABLE "agent_settings" ADD CONSTRAINT "agent_settings_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job" ADD CONSTRAINT "job_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "turn" ADD CONSTRAINT "turn_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "job"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "step" ADD CONSTRAINT "step_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "job"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "answer" ADD CONSTRAINT "answer_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "job"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dataset" ADD CONSTRAINT "dataset_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "site" ADD CONSTRAINT "site_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "site_version" ADD CONSTRAINT "site_version_slug_fkey" FOREIGN KEY ("slug") REFERENCES "site"("slug") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE job ADD CHECK (status IN ('running', 'awaiting_input', 'completed', 'failed', 'cancelled')),
  ADD CHECK ((status = 'awaiting_input') = (awaiting IS NOT NULL));
ALTER TABLE step ADD CHECK (kind IN ('model', 'tool', 'question', 'plan', 'summary', 'wrap_up')), ADD CHECK (charged >= 0);

-- Rows that every step updates stay on their page.
ALTER TABLE job SET (fillfactor = 50);
ALTER TABLE spend_limit SET (fillfactor = 50);

-- A conversation's holds, for whoever takes its run over.
CREATE INDEX hold_limit_id_idx ON hold (limit_id) WHERE limit_id IS NOT NULL;
