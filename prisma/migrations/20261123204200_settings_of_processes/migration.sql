-- AlterTable
ALTER TABLE "holder" ADD COLUMN     "about" JSONB;
