-- AlterTable
ALTER TABLE "mcp_task" ADD COLUMN     "cancel_requested" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "mcp_task_owner_id_created_at_idx" ON "mcp_task"("owner_id", "created_at");
