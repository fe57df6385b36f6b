-- CreateIndex
CREATE INDEX receipt_limit_id_at_idx ON receipt (limit_id, at) WHERE limit_id IS NOT NULL;
