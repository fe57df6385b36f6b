-- AlterTable
ALTER TABLE "agent_settings" ADD COLUMN     "outside_approval" TEXT NOT NULL DEFAULT 'ask';

-- AlterTable
ALTER TABLE "dataset" ADD COLUMN     "foreign_text" BOOLEAN NOT NULL DEFAULT false;

-- What is kept from before may hold anything: nobody noted where it came from.
UPDATE "dataset" SET "foreign_text" = true;

ALTER TABLE "agent_settings" ADD CONSTRAINT "agent_settings_outside_approval_check"
  CHECK ("outside_approval" IN ('ask', 'always', 'never'));
