ALTER TABLE "key" VALIDATE CONSTRAINT "key_customer_id_fkey";
