-- AlterTable
ALTER TABLE "turn" ADD COLUMN     "share_shows" JSONB,
ADD COLUMN     "share_token" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "turn_share_token_key" ON "turn"("share_token");
