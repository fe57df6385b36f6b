-- AlterTable
ALTER TABLE "webhook_delivery" ADD COLUMN     "dismissed_at" TIMESTAMPTZ(3);
