CREATE INDEX CONCURRENTLY "job_owner_id_credits_id_idx" ON "job"("owner_id", "credits", "id");
