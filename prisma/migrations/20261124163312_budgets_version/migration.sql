-- Alone: what locks several tables of calls in progress could wait for one that waits for it.
-- AlterTable
ALTER TABLE "account" ADD COLUMN     "budgets_version" INTEGER NOT NULL DEFAULT 0;
