-- CreateIndex
CREATE INDEX "turn_ended_at_idx" ON "turn"("ended_at");
