-- AlterTable
ALTER TABLE "key" ADD COLUMN     "person_id" INTEGER;

-- AlterTable
ALTER TABLE "oauth_code" ADD COLUMN     "person_id" INTEGER;

-- AlterTable
ALTER TABLE "owner" ADD COLUMN     "account_name" TEXT,
ADD COLUMN     "requires_factor" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "account_id" INTEGER;

-- CreateTable
CREATE TABLE "member" (
    "account_id" INTEGER NOT NULL,
    "person_id" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "by_groups" BOOLEAN NOT NULL DEFAULT false,
    "joined_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "chosen_at" TIMESTAMPTZ(3),

    CONSTRAINT "member_pkey" PRIMARY KEY ("account_id","person_id"),
    CONSTRAINT "member_role_check" CHECK ("role" IN ('owner', 'admin', 'developer', 'billing', 'viewer'))
);

-- CreateTable
CREATE TABLE "invitation" (
    "id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "account_id" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "email" TEXT,
    "made_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "invitation_role_check" CHECK ("role" IN ('owner', 'admin', 'developer', 'billing', 'viewer'))
);

-- CreateIndex
CREATE INDEX "member_person_id_idx" ON "member"("person_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_hash_key" ON "invitation"("hash");

-- CreateIndex
CREATE INDEX "invitation_account_id_created_at_idx" ON "invitation"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "invitation_expires_at_idx" ON "invitation"("expires_at");

-- CreateIndex
CREATE INDEX "session_account_id_owner_id_idx" ON "session"("account_id", "owner_id");

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_account_id_owner_id_fkey" FOREIGN KEY ("account_id", "owner_id") REFERENCES "member"("account_id", "person_id") ON DELETE CASCADE ON UPDATE CASCADE NOT VALID;

-- AddForeignKey
ALTER TABLE "key" ADD CONSTRAINT "key_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;

-- The person who opens an account is its owner: a trigger of `account`.
CREATE OR REPLACE FUNCTION member_of_new_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO member (account_id, person_id, role) VALUES (new.owner_id, new.owner_id, 'owner') ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
