-- CreateTable
CREATE TABLE "mcp_task" (
    "id" UUID NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "is_cancelled" BOOLEAN NOT NULL DEFAULT false,
    "result" JSONB,

    CONSTRAINT "mcp_task_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "mcp_task_created_at_idx" ON "mcp_task"("created_at");
