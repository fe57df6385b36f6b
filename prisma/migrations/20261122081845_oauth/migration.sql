-- CreateTable
CREATE TABLE "key_client" (
    "key_id" INTEGER NOT NULL,
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,

    CONSTRAINT "key_client_pkey" PRIMARY KEY ("key_id")
);

-- CreateTable
CREATE TABLE "oauth_client" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "redirect_uris" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "allowed_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_client_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_code" (
    "hash" BYTEA NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_name" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "challenge" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "replayed_at" TIMESTAMPTZ(3),
    "key_id" INTEGER,

    CONSTRAINT "oauth_code_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "oauth_client_allowed_at_created_at_idx" ON "oauth_client"("allowed_at", "created_at");

-- CreateIndex
CREATE INDEX "oauth_code_owner_id_idx" ON "oauth_code"("owner_id");

-- CreateIndex
CREATE INDEX "oauth_code_expires_at_idx" ON "oauth_code"("expires_at");

-- AddForeignKey
ALTER TABLE "key_client" ADD CONSTRAINT "key_client_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "key"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_code" ADD CONSTRAINT "oauth_code_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;
