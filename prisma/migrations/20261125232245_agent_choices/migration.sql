-- AlterTable
ALTER TABLE "agent_settings" ADD COLUMN     "auto_model" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "schedule" ADD COLUMN     "attachments" JSONB;
