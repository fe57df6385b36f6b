-- AlterTable
ALTER TABLE "owner" ADD COLUMN     "confirm_above" BIGINT DEFAULT 500;
