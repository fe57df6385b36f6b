CREATE INDEX CONCURRENTLY "job_owner_id_worked_ms_id_idx" ON "job"("owner_id", "worked_ms", "id");
