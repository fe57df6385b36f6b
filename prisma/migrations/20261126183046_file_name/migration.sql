-- AlterTable
ALTER TABLE "file" ADD COLUMN     "name" TEXT;
