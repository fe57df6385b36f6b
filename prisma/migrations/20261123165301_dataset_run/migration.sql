-- AlterTable
ALTER TABLE "dataset" ADD COLUMN     "run_id" UUID;
