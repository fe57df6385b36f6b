-- AlterTable
ALTER TABLE "request_hour" DROP CONSTRAINT "request_hour_pkey",
ADD COLUMN     "limit_name" TEXT NOT NULL DEFAULT '',
ADD CONSTRAINT "request_hour_pkey" PRIMARY KEY ("hour", "owner_id", "key_id", "status", "limit_name");

-- CreateTable
CREATE TABLE "refusal" (
    "id" UUID NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "key_id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "limit_source" TEXT,
    "limit_name" TEXT,
    "operation" TEXT NOT NULL,
    "called" TEXT,

    CONSTRAINT "refusal_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "refusal_key_id_at_id_idx" ON "refusal"("key_id", "at", "id");

-- CreateIndex
CREATE INDEX "refusal_owner_id_at_id_idx" ON "refusal"("owner_id", "at", "id");

-- CreateIndex
CREATE INDEX "refusal_at_idx" ON "refusal"("at");

-- CreateIndex
CREATE INDEX "request_hour_owner_id_hour_idx" ON "request_hour"("owner_id", "hour");

-- AddForeignKey
ALTER TABLE "refusal" ADD CONSTRAINT "refusal_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;
