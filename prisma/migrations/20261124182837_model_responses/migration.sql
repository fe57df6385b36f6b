-- AlterTable
ALTER TABLE "key" ADD COLUMN     "response_days" INTEGER;

-- CreateTable
CREATE TABLE "model_response" (
    "id" UUID NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "previous_id" UUID,
    "conversation_id" UUID,
    "item_ids" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "is_ended" BOOLEAN NOT NULL DEFAULT true,
    "cancelled_at" TIMESTAMPTZ(3),
    "body" BYTEA NOT NULL,
    "bytes" INTEGER NOT NULL,

    CONSTRAINT "model_response_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "model_response_owner_id_created_at_id_idx" ON "model_response"("owner_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "model_response_conversation_id_created_at_id_idx" ON "model_response"("conversation_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "model_response_expires_at_idx" ON "model_response"("expires_at");

-- CreateIndex
CREATE INDEX "model_response_item_ids_idx" ON "model_response" USING GIN ("item_ids");

-- AddForeignKey
ALTER TABLE "model_response" ADD CONSTRAINT "model_response_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;
