-- AlterTable
ALTER TABLE "member" ADD COLUMN     "views" JSONB;
