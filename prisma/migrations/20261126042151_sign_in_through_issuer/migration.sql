-- AlterTable
ALTER TABLE "login" ADD COLUMN     "email" TEXT;

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "issuer_factor" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "join_domain" (
    "domain" TEXT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "join_domain_pkey" PRIMARY KEY ("domain")
);

-- CreateTable
CREATE TABLE "group_role" (
    "account_id" INTEGER NOT NULL,
    "group_name" TEXT NOT NULL,
    "role" TEXT NOT NULL,

    CONSTRAINT "group_role_pkey" PRIMARY KEY ("account_id","group_name")
);

-- CreateTable
CREATE TABLE "former_member" (
    "account_id" INTEGER NOT NULL,
    "person_id" INTEGER NOT NULL,
    "left_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "former_member_pkey" PRIMARY KEY ("account_id","person_id")
);

-- CreateIndex
CREATE INDEX "join_domain_account_id_idx" ON "join_domain"("account_id");

-- CreateIndex
CREATE INDEX "former_member_person_id_idx" ON "former_member"("person_id");

-- AddForeignKey
ALTER TABLE "join_domain" ADD CONSTRAINT "join_domain_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_role" ADD CONSTRAINT "group_role_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "former_member" ADD CONSTRAINT "former_member_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "former_member" ADD CONSTRAINT "former_member_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;
