ALTER TABLE "account" VALIDATE CONSTRAINT "account_day_check";
