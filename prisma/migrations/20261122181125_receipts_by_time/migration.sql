-- CreateIndex
CREATE INDEX CONCURRENTLY "receipt_at_idx" ON "receipt" USING BRIN ("at");
