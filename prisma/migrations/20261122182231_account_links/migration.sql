-- AlterTable
ALTER TABLE "owner" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "account_link" (
    "hash" BYTEA NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "email" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_link_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "former_identity" (
    "hash" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "former_identity_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "account_link_owner_id_idx" ON "account_link"("owner_id");

-- CreateIndex
CREATE INDEX "account_link_expires_at_idx" ON "account_link"("expires_at");

-- AddForeignKey
ALTER TABLE "account_link" ADD CONSTRAINT "account_link_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;
