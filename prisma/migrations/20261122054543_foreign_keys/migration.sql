-- NOT VALID: new rows are checked, and calls do not wait while the old ones are read. The next migration reads those.
ALTER TABLE "spend_limit" ADD CONSTRAINT "spend_limit_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
ALTER TABLE "deleted_spend" ADD CONSTRAINT "deleted_spend_limit_id_fkey" FOREIGN KEY ("limit_id") REFERENCES "spend_limit"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
ALTER TABLE "pod" ADD CONSTRAINT "pod_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
ALTER TABLE "pod" ADD CONSTRAINT "pod_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "job"("id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;
