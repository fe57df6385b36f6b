-- Locks no row that a call writes.
ALTER TABLE "spend_limit" VALIDATE CONSTRAINT "spend_limit_owner_id_fkey";
ALTER TABLE "deleted_spend" VALIDATE CONSTRAINT "deleted_spend_limit_id_fkey";
ALTER TABLE "pod" VALIDATE CONSTRAINT "pod_owner_id_fkey";
ALTER TABLE "pod" VALIDATE CONSTRAINT "pod_job_id_fkey";
