-- Alone: what locks several tables of calls in progress could wait for one that waits for it.
-- AlterTable
ALTER TABLE "hold" ADD COLUMN     "customer_id" INTEGER,
ADD COLUMN     "limits" UUID[];
