-- CreateTable
CREATE TABLE "sign_up_link" (
    "hash" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_up_link_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "sign_up_link_expires_at_idx" ON "sign_up_link"("expires_at");
