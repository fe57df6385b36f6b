-- CreateIndex
CREATE INDEX "artifact_ref_idx" ON "artifact"("ref");
