-- AlterTable
ALTER TABLE "key" ADD COLUMN     "customer_id" INTEGER,
ADD COLUMN     "external_id" TEXT,
ADD COLUMN     "management" JSONB,
ADD COLUMN     "names_customers" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "customer" (
    "id" SERIAL NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "name" TEXT,
    "hash" TEXT NOT NULL,
    "suspended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "management_answer" (
    "key_id" INTEGER NOT NULL,
    "token" TEXT NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "answer" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "management_answer_pkey" PRIMARY KEY ("key_id","token")
);

-- CreateIndex
CREATE UNIQUE INDEX "customer_owner_id_name_key" ON "customer"("owner_id", "name");

-- CreateIndex
CREATE INDEX "management_answer_at_idx" ON "management_answer"("at");

-- AddForeignKey
ALTER TABLE "customer" ADD CONSTRAINT "customer_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "management_answer" ADD CONSTRAINT "management_answer_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "key"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- An id that a program gave to a key is free again when the key is revoked.
CREATE UNIQUE INDEX "key_external_id" ON "key"("owner_id", "external_id") WHERE "revoked_at" IS NULL;
