CREATE INDEX CONCURRENTLY "job_words_idx" ON "job" USING GIN ("words");
