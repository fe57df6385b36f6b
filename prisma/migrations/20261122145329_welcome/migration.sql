-- CreateTable
CREATE TABLE "welcome" (
    "owner_id" INTEGER NOT NULL,
    "done" TEXT[],
    "is_hidden" BOOLEAN NOT NULL DEFAULT false,
    "example_key_id" INTEGER,

    CONSTRAINT "welcome_pkey" PRIMARY KEY ("owner_id")
);

-- AddForeignKey
ALTER TABLE "welcome" ADD CONSTRAINT "welcome_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;
