ALTER TABLE "key" VALIDATE CONSTRAINT key_period_check;
