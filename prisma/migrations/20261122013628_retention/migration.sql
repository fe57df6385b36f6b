-- DropIndex
DROP INDEX "idempotency_created_at_idx";

-- CreateTable
CREATE TABLE "deleted_spend" (
    "limit_id" UUID NOT NULL,
    "charged" BIGINT NOT NULL,

    CONSTRAINT "deleted_spend_pkey" PRIMARY KEY ("limit_id")
);

-- CreateTable
CREATE TABLE "retention" (
    "name" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "cutoff" TIMESTAMPTZ(3),
    "deleted" TIMESTAMPTZ(3),
    "cursor" TEXT,

    CONSTRAINT "retention_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "idempotency_key_id_created_at_idx" ON "idempotency"("key_id", "created_at");

-- CreateIndex
CREATE INDEX "job_owner_id_status_created_at_id_idx" ON "job"("owner_id", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "site_version_files_idx" ON "site_version" USING GIN ("files" jsonb_path_ops);

-- CreateIndex
CREATE INDEX "spend_limit_owner_id_idx" ON "spend_limit"("owner_id");


INSERT INTO retention (name) VALUES ('run'), ('receipts'), ('run_outputs'), ('files');
