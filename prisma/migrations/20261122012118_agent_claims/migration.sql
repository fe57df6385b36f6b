-- AlterTable
ALTER TABLE "job" ADD COLUMN     "holder_id" UUID,
ADD COLUMN     "stalled_at" TIMESTAMPTZ(3),
ADD COLUMN     "stalls" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "step" ADD COLUMN     "fence" INTEGER NOT NULL DEFAULT 0;

-- DropIndex
DROP INDEX "job_status_updated_at_idx";
