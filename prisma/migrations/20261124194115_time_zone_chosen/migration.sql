-- AlterTable
ALTER TABLE "owner" ADD COLUMN     "time_zone_chosen" BOOLEAN NOT NULL DEFAULT false;
