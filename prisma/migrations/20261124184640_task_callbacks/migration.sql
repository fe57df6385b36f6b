-- AlterTable
ALTER TABLE "mcp_task" ADD COLUMN     "awaits_callback" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "callback_url" TEXT,
ADD COLUMN     "tool" TEXT;

-- CreateTable
CREATE TABLE "task_delivery" (
    "id" UUID NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "round_attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimed_until" TIMESTAMPTZ(3),
    "answer_status" INTEGER,
    "answer_body" TEXT,
    "error" TEXT,
    "attempted_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "task_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "task_delivery_created_at_idx" ON "task_delivery"("created_at");

-- The tasks that a worker looks through: few, and none of them old.
CREATE INDEX mcp_task_awaits_callback ON mcp_task (created_at) WHERE awaits_callback;

-- Deliveries that are due, as those of runs have it.
CREATE INDEX task_delivery_due ON task_delivery (owner_id, due_at) WHERE status = 'pending';
