-- AlterTable
ALTER TABLE "owner" ADD COLUMN     "keeps_request_log" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "request_log" (
    "id" UUID NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "request" TEXT NOT NULL,
    "response" TEXT NOT NULL,
    "request_truncated" BOOLEAN NOT NULL DEFAULT false,
    "response_truncated" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "request_log_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "request_log_at_idx" ON "request_log"("at");

-- CreateIndex
CREATE INDEX "request_log_owner_id_at_id_idx" ON "request_log"("owner_id", "at", "id");

-- AddForeignKey
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;
